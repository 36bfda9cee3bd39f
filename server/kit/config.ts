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
  ORGANIZATION_LEADS_PER_SECOND: whole(0, 100_000).default(0),
  METRICS_TOKEN: optionalText.pipe(z.string().min(16, 'must have at least 16 characters').optional()),
  OTEL_EXPORTER_OTLP_ENDPOINT: optionalText.pipe(
    z
      .url({ protocol: /^https?$/, error: 'must be the address of a collector that takes OTLP over HTTP, such as http://localhost:4318' })
      .refine(
        (address) => !new URL(address).username && !new URL(address).password,
        'must hold no user and password; send them by OTEL_EXPORTER_OTLP_HEADERS',
      )
      .optional(),
  ),
  OTEL_EXPORTER_OTLP_HEADERS: z.string().default(''),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number('must be a share from 0 to 1')
    .min(0, 'must be 0 or more')
    .max(1, 'must be 1 or less')
    .default(1),
  TRACEPARENT_TO: z.string().default(''),
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
  if (production && value.SECRET_KEY_ALSO === LOCAL_SECRET)
    throw new ConfigError(
      'SECRET_KEY_ALSO: the demo secret is not allowed in production. To leave it, run npm run rotate-keys with APP_ENV=local before a node starts.',
    );
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
    /** Most that a node takes of one organization; 0 where there is no such limit. */
    leadsPerSecond: value.ORGANIZATION_LEADS_PER_SECOND,
    logLevel: value.LOG_LEVEL,
    /** Asked of whoever reads /metrics; undefined leaves them open, but in production closed. */
    metricsToken: value.METRICS_TOKEN,
    traces: {
      /** The collector that spans are sent to; undefined where nothing is traced. */
      endpoint: value.OTEL_EXPORTER_OTLP_ENDPOINT,
      headers: readHeaders(value.OTEL_EXPORTER_OTLP_HEADERS),
      /** Of all traces that begin here, from 0 to 1. */
      share: value.OTEL_TRACES_SAMPLER_ARG,
      /** Hosts that are told of which trace a call to them is a step. */
      to: entriesOf(value.TRACEPARENT_TO).map(readTraceHost),
    },
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

/** As OpenTelemetry writes them: name=value, name=value, with % for what has a meaning there. */
function readHeaders(text: string): Record<string, string> {
  return Object.fromEntries(
    entriesOf(text).map((entry) => {
      const at = entry.indexOf('=');
      const [name, value] = [entry.slice(0, at).trim(), readPercent(entry.slice(at + 1).trim())];
      // Never the value: it may be a secret.
      if (at < 1 || !/^[!#$%&'*+.^_`|~0-9a-z-]+$/i.test(name) || value === undefined || /[^\x20-\x7e]/.test(value))
        throw new ConfigError('OTEL_EXPORTER_OTLP_HEADERS: must be name=value, several with commas between them.');
      return [name.toLowerCase(), value];
    }),
  );
}

function readPercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function readTraceHost(entry: string): string {
  if (!/^[a-z0-9.-]+(:\d{1,5})?$/i.test(entry))
    throw new ConfigError(`TRACEPARENT_TO: ${JSON.stringify(entry)} is not a host, such as crm.internal or 10.1.2.3:8443.`);
  return entry.toLowerCase();
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
