/** Puts files on SFTP servers: the address is judged as for every call out, the server is known by its pinned key, and a file has its name only when it is whole. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { posix } from 'node:path';
import ssh2, { type SFTPWrapper } from 'ssh2';
import type { FeedDestination } from '#contract/export.ts';
import { AddressRefused } from '#server/delivery/outbound-connect.ts';
import { connectSocket } from '#server/delivery/outbound-socket.ts';
import type { FeedSecrets } from './export-feed.model.ts';
import { FileGone } from './export-file.sql.ts';
import type { FileToSend, Sent, Ways } from './send-file.ts';
import { SFTP_PORTS } from './sftp-ports.ts';

type SftpDestination = Extract<FeedDestination, { kind: 'sftp' }>;

const CONNECT_MS = 10_000;
/** Nothing came or went for so long. */
const IDLE_MS = 60_000;
/** In all, beside the time that the bytes of the file need. */
const TALK_MS = 120_000;
/** A server that takes a file more slowly, in bytes a second, keeps other feeds waiting. */
const LEAST_RATE = 64 * 1024;
const LONGEST_MS = 4 * 3_600_000;
const CHUNK = 32 * 1024;

export const fingerprintOf = (key: Buffer): string => `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;

/** What went wrong, for people. */
class SftpFailed extends Error {
  readonly isFinal: boolean;
  constructor(message: string, isFinal = false) {
    super(message);
    this.isFinal = isFinal;
  }
}

export async function sendBySftp(ways: Ways, file: FileToSend, destination: SftpDestination): Promise<Sent> {
  if (destination.hostKey === null)
    return { failure: 'The key of the server is not known yet. Test the destination, and look at the key that it shows.', isFinal: true };
  const path = posix.join(destination.folder || '.', file.name);
  const part = posix.join(destination.folder || '.', `.${file.name}.part`);
  let isRenaming = false;
  try {
    return await withSftp(
      ways,
      destination,
      file.secrets,
      file.bytes,
      () => {},
      async (sftp) => {
        const there = await sizeOf(sftp, path);
        if (there === file.bytes) return { failure: null, remark: 'It was there already, whole: the try before had come to its end.' };
        const hasPart = file.wasCutOff && there === undefined && (await sizeOf(sftp, part)) !== undefined;
        await write(sftp, part, file.read());
        const size = await sizeOf(sftp, part);
        if (size !== undefined && size !== file.bytes) throw new SftpFailed(`The server has ${size} of ${file.bytes} bytes.`);
        isRenaming = true;
        await rename(sftp, part, path);
        // Neither the file nor its beginning: whoever fetches files there may have had it.
        const isTwice = file.wasCutOff && there === undefined && !hasPart;
        return { failure: null, ...(isTwice && { remark: 'It may have come twice, under the same name: the try before was cut off.' }) };
      },
    );
  } catch (error) {
    if (error instanceof FileGone) throw error;
    return { failure: sayFailure(error), isFinal: error instanceof SftpFailed && error.isFinal, isUncertain: isRenaming };
  }
}

export interface SftpTrial {
  failure: string | null;
  /** That the server showed; null where it came to none. */
  hostKey: string | null;
}

/** Signs in and writes an empty file under a name of its own, which is taken away again. A key that is not pinned yet is taken as it is shown. */
export async function trySftp(ways: Ways, destination: SftpDestination, secrets: FeedSecrets, id: string): Promise<SftpTrial> {
  let hostKey: string | null = null;
  try {
    await withSftp(
      ways,
      destination,
      secrets,
      0,
      (shown) => {
        hostKey = shown;
      },
      async (sftp) => {
        const path = posix.join(destination.folder || '.', `.sluice-test-${id}.part`);
        await write(sftp, path, [Buffer.from('test\r\n')]);
        await called((done) => sftp.unlink(path, done));
      },
    );
    return { failure: null, hostKey };
  } catch (error) {
    return { failure: sayFailure(error), hostKey };
  }
}

async function withSftp<T>(
  { allow, resolve, fileTimeMs = TALK_MS }: Ways,
  { host, port, user, hostKey }: SftpDestination,
  secrets: FeedSecrets,
  bytes: number,
  onKey: (shown: string) => void,
  use: (sftp: SFTPWrapper) => Promise<T>,
): Promise<T> {
  const sock = await connectSocket({ host, port, ports: SFTP_PORTS, allow, timeoutMs: CONNECT_MS, resolve });
  const client = new ssh2.Client();
  let isOther: string | undefined;
  sock.setTimeout(IDLE_MS, () => sock.destroy(Object.assign(new Error('idle'), { code: 'ETIMEDOUT' })));
  let limit: NodeJS.Timeout | undefined;
  const failed = new Promise<never>((_, reject) => {
    limit = setTimeout(
      () => {
        reject(new SftpFailed('The server was too slow: the file did not get there in its time.'));
        sock.destroy();
      },
      Math.min(fileTimeMs + (bytes / LEAST_RATE) * 1_000, LONGEST_MS),
    );
    client.on('error', (error) =>
      reject(
        isOther ? new SftpFailed(`The server showed another key, ${isOther}. Nothing was sent. If that is right, pin it.`, true) : error,
      ),
    );
    client.on('close', () => reject(new SftpFailed('The connection broke off.')));
  });
  failed.catch(() => {});
  try {
    const ready = once(client, 'ready');
    ready.catch(() => {});
    client.on('keyboard-interactive', (_name, _says, _lang, prompts, finish) => finish(prompts.map(() => secrets.password ?? '')));
    client.connect({
      sock,
      username: user,
      ...secrets,
      tryKeyboard: secrets.password !== undefined,
      readyTimeout: CONNECT_MS * 2,
      hostVerifier: (key: Buffer) => {
        const shown = fingerprintOf(key);
        onKey(shown);
        if (hostKey !== null && shown !== hostKey) isOther = shown;
        return isOther === undefined;
      },
    });
    await Promise.race([ready, failed]);
    const sftp = await Promise.race([called<SFTPWrapper>((done) => client.sftp(done)), failed]);
    return await Promise.race([use(sftp), failed]);
  } finally {
    clearTimeout(limit);
    client.end();
    sock.destroySoon();
    setTimeout(() => sock.destroy(), 2_000).unref();
  }
}

async function write(sftp: SFTPWrapper, path: string, parts: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<void> {
  const handle = await called<Buffer>((done) => sftp.open(path, 'w', done));
  let at = 0;
  for await (const part of parts)
    for (let from = 0; from < part.length; from += CHUNK) {
      const chunk = part.subarray(from, from + CHUNK);
      await called((done) => sftp.write(handle, chunk, 0, chunk.length, at, done));
      at += chunk.length;
    }
  await called((done) => sftp.close(handle, done));
}

/** Undefined where there is none, or where it may not be looked at. */
async function sizeOf(sftp: SFTPWrapper, path: string): Promise<number | undefined> {
  return called<{ size: number }>((done) => sftp.stat(path, done)).then(
    ({ size }) => size,
    (error: { code?: number }) => {
      if (typeof error.code === 'number') return undefined;
      throw error;
    },
  );
}

/** In one act where the server can; another file of the name, which is not whole, makes room. */
async function rename(sftp: SFTPWrapper, from: string, to: string): Promise<void> {
  try {
    await called((done) => sftp.rename(from, to, done));
  } catch (error) {
    if ((await sizeOf(sftp, to)) === undefined) throw error;
    await called((done) => sftp.unlink(to, done));
    await called((done) => sftp.rename(from, to, done));
  }
}

function called<T = void>(call: (done: (error: Error | null | undefined, value: T) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => call((error, value) => (error ? reject(error) : resolve(value))));
}

const BY_CODE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The server refuses connections.',
  ENOTFOUND: 'Its host name is not known (DNS).',
  EAI_AGAIN: 'Its host name could not be looked up (DNS).',
  EHOSTUNREACH: 'There is no way to its host.',
  ENETUNREACH: 'There is no way to its network.',
  ETIMEDOUT: 'The server did not answer in time.',
  ECONNRESET: 'The connection broke off.',
};
/** Of the SFTP protocol. */
const BY_STATUS: Readonly<Record<number, string>> = {
  2: 'The server has no such folder.',
  3: 'The server does not let this user write there.',
  4: 'The server could not do it.',
};

function sayFailure(error: unknown): string {
  if (error instanceof SftpFailed) return error.message;
  if (error instanceof AddressRefused) return `The server may not be called: ${error.message}.`;
  const { code, level } = error as { code?: string | number; level?: string };
  if (level === 'client-authentication') return 'The server does not let this user in with this password or key.';
  if (level === 'client-timeout') return 'The server did not answer in time.';
  if (level === 'handshake' || level === 'protocol') return 'What answers there does not speak SFTP as we do.';
  if (typeof code === 'number') return BY_STATUS[code] ?? `The server refused it (SFTP status ${code}).`;
  return BY_CODE[code ?? ''] ?? 'No connection was possible.';
}
