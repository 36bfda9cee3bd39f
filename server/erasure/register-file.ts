/**
 * The register of erasures outside the database: a file to which a line is added for each, on disk before anybody is told that it is done. Several nodes
 * may write to one file, or each to its own; what another wrote is read on from where this one stood. A line that cannot be read is counted, not used.
 */
import { createReadStream, existsSync } from 'node:fs';
import { access, constants, mkdir, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { ConfigError } from '#server/kit/config.ts';
import { keyedHash, type OrganizationKeys } from '#server/kit/crypto.ts';
import type { Erasure } from './erasure.ts';

/** Hashes have the form of a UUID, but no version. */
const line = z.strictObject({
  organization: z.uuid(),
  id: z.uuid(),
  kind: z.enum(['erased', 'accepted']),
  at: z.iso.datetime(),
  hashes: z.array(z.guid()),
  leads: z.array(z.uuid()),
  verticals: z.array(z.uuid()),
  person: z.array(z.guid()),
  /** A keyed hash of all before it: who has not the organization's key cannot make a line, nor change one. */
  seal: z.guid(),
});
type Line = z.infer<typeof line>;

/** Undefined for an organization that is not in this database. */
export type KeysOf = (organizationId: string) => OrganizationKeys | undefined;

export interface RegisterRead {
  erasures: Erasure[];
  /** Lines that are no line of this register, or were changed. */
  damaged: number;
  /** Where the next reading begins: a byte. */
  end: number;
}

/** Throws ConfigError where the register could not be written. */
export async function requireWritable(path: string): Promise<void> {
  const problem = await whyUnwritable(path);
  if (problem)
    throw new ConfigError(`ERASURE_REGISTER: ${path} cannot be written (${problem}). Name a file outside of the database's own folder.`);
}

/** Makes its folder where there is none. */
export async function whyUnwritable(path: string): Promise<string | undefined> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await access(existsSync(path) ? path : dirname(path), constants.W_OK);
    return undefined;
  } catch (error) {
    return (error as { code?: string }).code ?? 'unknown';
  }
}

/** On disk when it resolves. */
export async function appendToRegister(path: string, erasures: readonly Erasure[], keysOf: KeysOf): Promise<void> {
  const lines = erasures.flatMap((erasure) => {
    const keys = keysOf(erasure.organizationId);
    return keys ? [`${writeLine(keys, erasure)}\n`] : [];
  });
  if (lines.length === 0) return;
  await mkdir(dirname(path), { recursive: true });
  const file = await open(path, 'a+', 0o600);
  try {
    // All of it, or an error: one write alone may write less than it was given.
    await file.appendFile(`${(await endsMidLine(file)) ? '\n' : ''}${lines.join('')}`);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A node that died while it wrote left half a line. */
async function endsMidLine(file: Awaited<ReturnType<typeof open>>): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return false;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] !== 0x0a;
}

/** Lines of organizations that are not in this database are passed by: their file may be shared with other installations. */
export async function readRegister(path: string, from: number, keysOf: KeysOf): Promise<RegisterRead> {
  const read: RegisterRead = { erasures: [], damaged: 0, end: 0 };
  if (!existsSync(path)) return read;
  const { size } = await stat(path);
  read.end = size;
  // A file that is shorter than it was is another file.
  const start = from <= size ? from : 0;
  if (start === size) return read;
  const lines = createInterface({ input: createReadStream(path, { start, end: size - 1 }), crlfDelay: Number.POSITIVE_INFINITY });
  for await (const text of lines) {
    if (text === '') continue;
    const found = readLine(text, keysOf);
    if (found === 'damaged') read.damaged += 1;
    else if (found) read.erasures.push(found);
  }
  return read;
}

function writeLine(keys: OrganizationKeys, { organizationId, id, kind, askedAt, sought, personHashes }: Erasure): string {
  const said: Omit<Line, 'seal'> = {
    organization: organizationId,
    id,
    kind,
    at: askedAt.toISOString(),
    hashes: sought.hashes,
    leads: sought.leadIds,
    verticals: sought.verticalIds,
    person: personHashes,
  };
  return JSON.stringify({ ...said, seal: sealOf(keys, said) });
}

function readLine(text: string, keysOf: KeysOf): Erasure | 'damaged' | undefined {
  const read = line.safeParse(parse(text));
  if (!read.success) return 'damaged';
  const { seal, ...said } = read.data;
  const keys = keysOf(said.organization);
  if (!keys) return undefined;
  if (sealOf(keys, said) !== seal) return 'damaged';
  const { organization: organizationId, id, kind, at, hashes, leads: leadIds, verticals: verticalIds, person: personHashes } = said;
  return { organizationId, id, kind, askedAt: new Date(at), sought: { hashes, leadIds, verticalIds }, personHashes };
}

const sealOf = (keys: OrganizationKeys, said: Omit<Line, 'seal'>): string => keyedHash(keys, 'erasure register', JSON.stringify(said));

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
