/** The one place that reads the environment. A wrong value stops the start with one plain line. */
import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { type AllowList, allowsLoopback, parseAllowList } from '#server/delivery/outbound-address.ts';
import type { MasterKey } from '#server/kit/crypto.ts';

const whole = (least: number, most: number) => {
  const message = `must be a whole number from ${least} to ${most}`;
  return z.coerce.number(message).int(message).min(least, message).max(most, message);
};
const optionalText = z
  .string()
  .trim()
  .transform((text) => text || undefined)
  .optional();

const environment = z.object({
  PORT: whole(0, 65_535).default(3000),
  HOST: z.string().default('127.0.0.1'),
  APP_ENV: z.enum(['local', 'test', 'production']).default('local'),
  ROOT_DOMAIN: z
    .string()
    .regex(/^[a-z0-9.-]+$/i, 'must be a host name')
    .default('localhost'),
  DATA_DIR: z.string().min(1).default('.data'),
  ERASURE_REGISTER: optionalText,
  DATABASE_URL: optionalText.pipe(
    z
      .string()
      .regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
      .optional(),
  ),
  DATABASE_REPLICA_URL: optionalText.pipe(
    z
      .string()
      .regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
      .optional(),
  ),
  SMTP_URL: optionalText.pipe(
    z
      .string()
      .regex(/^smtps?:\/\//, 'must begin with smtp:// or smtps://')
      .optional(),
  ),
  MAIL_FROM: optionalText,
  HELP_HOST: optionalText.pipe(
    z
      .string()
      .regex(/^https?:\/\/[a-z0-9.-]+(:\d{1,5})?$/i, 'must be an origin such as https://help.example.com, without a path')
      .optional(),
  ),
  SECRET_KEY: optionalText.pipe(z.string().min(32, 'must have at least 32 characters').optional()),
  SECRET_KEY_ALSO: optionalText.pipe(z.string().min(32, 'must have at least 32 characters').optional()),
  SEED: z.enum(['demo', 'none']).optional(),
  OUTBOUND_ALLOW: z.string().default(''),
  TRUSTED_PROXIES: z.string().default(''),
  LEAVE_SECONDS: whole(0, 600).optional(),
  DATABASE_POOL: whole(2, 200).default(10),
  BUYER_CONCURRENCY: whole(1, 100_000).default(2000),
  MAX_IN_FLIGHT: whole(1, 100_000).default(4000),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('warn'),
});

/** Every variable that is read. */
export const SETTINGS: readonly string[] = Object.keys(environment.shape);

export type Config = ReturnType<typeof readConfig>;

/** Thrown for a value an operator must change; its message is the one line to print. */
export class ConfigError extends Error {}

/** Of thirty-two by chance there are hardly ever fewer, in hexadecimal digits least. */
const FEWEST_LETTERS = 10;
const LOCAL_SECRET = 'local-only-secret-not-for-production';

/** Reads and checks the environment. Throws ConfigError with one plain line. */
export function readConfig(env: Record<string, string | undefined> = process.env) {
  const read = environment.safeParse(env);
  if (!read.success) {
    const issue = read.error.issues[0]!;
    throw new ConfigError(`${issue.path.join('.')}: ${issue.message}.`);
  }
  const value = read.data;
  const production = value.APP_ENV === 'production';
  if (production && !value.SECRET_KEY) throw new ConfigError('SECRET_KEY: production needs a secret of at least 32 characters.');
  if (production && value.SECRET_KEY === LOCAL_SECRET) throw new ConfigError('SECRET_KEY: the demo secret is not allowed in production.');
  if (allowsLoopback(readAllowList(value.OUTBOUND_ALLOW)) && production) {
    throw new ConfigError('OUTBOUND_ALLOW: production never opens loopback addresses to outbound calls.');
  }
  const seed = value.SEED ?? (production ? 'none' : 'demo');
  if (production && seed === 'demo') throw new ConfigError('SEED: the demo world is not allowed in production.');
  const secret = value.SECRET_KEY ?? LOCAL_SECRET;
  return {
    port: value.PORT,
    host: value.HOST,
    appEnv: value.APP_ENV,
    /** Second factor and confirmed mail are asked for everywhere but on a developer's machine and in tests (account §4). */
    twoFactor: value.APP_ENV !== 'local' && value.APP_ENV !== 'test',
    rootDomain: value.ROOT_DOMAIN,
    dataDir: resolve(value.DATA_DIR),
    /** The file beside the database that knows who was erased; no backup of the database may hold it. */
    erasureRegister: resolve(value.ERASURE_REGISTER ?? join(value.DATA_DIR, 'erasures.jsonl')),
    databaseUrl: value.DATABASE_URL,
    databaseReplicaUrl: value.DATABASE_REPLICA_URL,
    databasePool: value.DATABASE_POOL,
    /** How long a node that was told to stop goes on answering, so that a proxy can turn to the others. */
    leaveMs: (value.LEAVE_SECONDS ?? (production ? 5 : 0)) * 1_000,
    smtpUrl: value.SMTP_URL,
    mailFrom: value.MAIL_FROM ?? `Sluice <no-reply@${value.ROOT_DOMAIN}>`,
    seed,
    /** The origin that serves the in-page help to the console (console §7); undefined for this installation itself. */
    helpHost: value.HELP_HOST,
    outboundAllow: entriesOf(value.OUTBOUND_ALLOW),
    /** Addresses and ranges of proxies whose X-Forwarded-For is believed; empty believes nobody. */
    trustedProxies: entriesOf(value.TRUSTED_PROXIES).map(readProxy),
    /** Calls under way to one buyer; the next one fails at once. */
    buyerConcurrency: value.BUYER_CONCURRENCY,
    /** Leads under way on this node; the next one is told to come back. */
    maxInFlight: value.MAX_IN_FLIGHT,
    logLevel: value.LOG_LEVEL,
    /** Whether SECRET_KEY could be guessed by what it is made of. */
    isSecretWeak: new Set(secret).size < FEWEST_LETTERS,
    /** Wraps every organization's data key; never leaves the process. */
    masterKey: masterKeyOf(secret, value.SECRET_KEY_ALSO),
  };
}

function masterKeyOf(secret: string, also: string | undefined): MasterKey {
  const keyOf = (text: string) => createHash('sha256').update(`sluice master key\0${text}`).digest();
  return { seals: keyOf(secret), ...(also !== undefined && { alsoOpens: keyOf(also) }) };
}

function entriesOf(list: string): string[] {
  return list
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);
}

function readAllowList(text: string): AllowList {
  try {
    return parseAllowList(text);
  } catch (error) {
    throw new ConfigError(`OUTBOUND_ALLOW: ${(error as Error).message}`);
  }
}

/** Whole addresses only: what an old spelling such as 10.1 names is not left to chance, and nobody is told to believe everybody. */
function readProxy(entry: string): string {
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(entry) || ipaddr.IPv6.isValid(entry);
  const isRange = ipaddr.IPv4.isValidCIDRFourPartDecimal(entry) || ipaddr.IPv6.isValidCIDR(entry);
  if (!isAddress && !isRange) throw new ConfigError(`TRUSTED_PROXIES: ${JSON.stringify(entry)} is not an address or CIDR.`);
  if (isRange && ipaddr.parseCIDR(entry)[1] === 0) throw new ConfigError(`TRUSTED_PROXIES: ${entry} would believe everybody.`);
  return entry;
}
