/**
 * The one way out: every call to a buyer, a check or a webhook goes through here. Checked and pinned addresses, redirects only where
 * the call says so, one total deadline, capped bodies, pooled connections and a bulkhead per buyer (reliability 2E, engine "Outbound safety").
 */
import { Readable } from 'node:stream';
import { Pool } from 'undici';
import type { AllowList, Judge } from './outbound-address.ts';
import { tryTwice } from './outbound-again.ts';
import { type Resolve, rememberNames, safeConnector, systemResolve } from './outbound-connect.ts';
import { Exchange, type LateAnswer, type OutboundResult } from './outbound-exchange.ts';
import { type Following, followRedirects, type SendHop } from './outbound-redirect.ts';
import type { WireRequest } from './wire.ts';

export interface OutboundOptions {
  allow: AllowList;
  resolve?: Resolve;
  /** In the place of the rules for addresses, where a test has no public one. */
  judge?: Judge;
  /** Calls under way per bulkhead; the next one fails at once. 64 by default. */
  concurrencyPerBuyer?: number;
  /** 256 KiB by default, before and after decoding. */
  maxBodyBytes?: number;
  connectTimeoutMs?: number;
  /** How long an answer is still awaited after the time limit, and how many at once. 30 s, 16 per buyer, 256 in all. */
  lateGraceMs?: number;
  latePerBuyer?: number;
  lateInAll?: number;
  /** Additional certificate authority (PEM). */
  ca?: string;
  /** Hosts, such as crm.internal or 10.1.2.3:8443, that are told of which trace a call is a step. Nobody by default. */
  traceTo?: readonly string[];
}

/** A body that is too large to be held: read as it is sent. What reading throws breaks the call off. */
export interface Upload {
  /** Exactly as many as are read. */
  bytes: number;
  read: () => AsyncIterable<Buffer>;
}

export interface OutboundCall {
  request: WireRequest;
  /** In the place of the request's body. */
  upload?: Upload;
  /** Whole milliseconds for everything: name, connect, request, answer. */
  timeoutMs: number;
  /** Whose calls are counted together; the buyer's id. */
  bulkhead: string;
  /** The call as a step of a trace. */
  traceparent?: string;
  /** Where given, redirects are followed, each as a call of its own within the same time limit. */
  following?: Following;
  /** Once more, within the same time limit, where nothing of it had left. */
  retriesUnsent?: boolean;
  /** Where given, a call that was sent is still listened to after its time limit. */
  onLateAnswer?: (late: LateAnswer) => void;
}

export interface Outbound {
  /** Never rejects: what went wrong is a result. */
  call(call: OutboundCall): Promise<OutboundResult>;
  /** Places taken in a bulkhead. */
  underWay(bulkhead: string): number;
  /** Destroys all connections; calls under way fail. */
  close(): Promise<void>;
}

/** Origins are chosen by tenants, so their number is bounded. */
const MAX_POOLS = 1000;
/** Those that only a redirect leads to are chosen by whoever answers, and push out none of the others. */
const MAX_HOP_POOLS = 100;

export function createOutbound(options: OutboundOptions): Outbound {
  const settings = withDefaults(options);
  const pools: Pools = { known: new Map(), most: MAX_POOLS };
  const hopPools: Pools = { known: new Map(), most: MAX_HOP_POOLS };
  // Whom the operator lets calls through to was not meant for a stranger who answers one.
  const strangers: Pools = { known: new Map(), most: MAX_HOP_POOLS };
  /** Origins whose addresses only the list of exceptions lets calls through to. */
  const listed = new Set<string>();
  const isListed = (url: string) => listed.has(URL.parse(url)?.origin ?? '');
  let isClosed = false;
  const running = new Map<string, number>();
  const late = new Map<string, number>();
  let lateInAll = 0;

  const claimLate = (bulkhead: string): boolean => {
    if (lateInAll >= settings.lateInAll || countOf(late, bulkhead) >= settings.latePerBuyer) return false;
    lateInAll++;
    add(late, bulkhead, 1);
    return true;
  };
  const releaseLate = (bulkhead: string) => {
    lateInAll--;
    add(late, bulkhead, -1);
  };

  const dispatch = (call: OutboundCall, pool: Pool, path: string): Promise<OutboundResult> =>
    new Promise<OutboundResult>((resolve) => {
      let isLate = false;
      const exchange = new Exchange({
        timeoutMs: call.timeoutMs,
        maxBodyBytes: settings.maxBodyBytes,
        claimGraceMs: () => {
          isLate = call.onLateAnswer !== undefined && claimLate(call.bulkhead);
          return isLate ? settings.lateGraceMs : 0;
        },
        onFree: () => add(running, call.bulkhead, -1),
        onSettled: resolve,
        onClosed: (answer) => {
          if (isLate) releaseLate(call.bulkhead);
          if (answer) call.onLateAnswer?.(answer);
        },
      });
      add(running, call.bulkhead, 1);
      send(pool, path, call, exchange, settings.traceTo);
    });

  const begin = async (call: OutboundCall, others: Pools = pools): Promise<OutboundResult> => {
    const target = splitUrl(call.request.url);
    if (typeof target === 'string') return notSent('refused-address', target);
    const pool =
      others === strangers
        ? poolOf(strangers, target.origin, { ...settings, allow: [] })
        : (pools.known.get(target.origin) ?? poolOf(others, target.origin, settings, () => listed.add(target.origin)));
    return dispatch(call, pool, target.path);
  };
  /** A hop is the same call still, and keeps the place that it has. One stranger on its way is enough. */
  const hopOf =
    (call: OutboundCall): SendHop =>
    (request, leftMs, { hops, spentMs }) => {
      if (hops.length === 0) return begin({ ...call, request, timeoutMs: leftMs });
      const before = [call.request.url, ...hops.slice(0, -1).map(({ url }) => url)];
      return begin(laterPart({ ...call, request }, leftMs, spentMs, { hops: [...hops] }), before.every(isListed) ? hopPools : strangers);
    };
  const once = (call: OutboundCall): Promise<OutboundResult> =>
    call.following ? followRedirects(call.request, call.timeoutMs, call.following, hopOf(call)) : begin(call);
  const isFull = (bulkhead: string) => countOf(running, bulkhead) >= settings.concurrencyPerBuyer;

  return {
    async call(call) {
      if (isFull(call.bulkhead)) return notSent('too-busy');
      if (call.timeoutMs <= 0) return notSent('timeout');
      if (!call.retriesUnsent) return once(call);
      return tryTwice(call.timeoutMs, {
        send: (leftMs, before) => once(before ? laterPart(call, leftMs, before.spentMs, { firstTry: before.firstTry }) : call),
        hasRoom: () => !isClosed && !isFull(call.bulkhead),
      });
    },
    underWay: (bulkhead) => countOf(running, bulkhead),
    async close() {
      isClosed = true;
      for (const { known } of [pools, hopPools, strangers]) {
        await Promise.all([...known.values()].map((pool) => pool.destroy()));
        known.clear();
      }
    },
  };
}

/** What comes of a call after a part of its time: its late answer tells of the whole of it. */
function laterPart(call: OutboundCall, leftMs: number, spentMs: number, more: Pick<LateAnswer, 'hops' | 'firstTry'>): OutboundCall {
  const { onLateAnswer } = call;
  const part = { ...call, timeoutMs: leftMs };
  if (onLateAnswer) part.onLateAnswer = (late) => onLateAnswer({ ...late, ...more, elapsedMs: late.elapsedMs + spentMs });
  return part;
}

type Settings = ReturnType<typeof withDefaults>;

function withDefaults(options: OutboundOptions) {
  return {
    allow: options.allow,
    resolve: rememberNames(options.resolve ?? systemResolve),
    judge: options.judge,
    concurrencyPerBuyer: options.concurrencyPerBuyer ?? 64,
    maxBodyBytes: options.maxBodyBytes ?? 256 * 1024,
    connectTimeoutMs: options.connectTimeoutMs ?? 5000,
    lateGraceMs: options.lateGraceMs ?? 30_000,
    latePerBuyer: options.latePerBuyer ?? 16,
    lateInAll: options.lateInAll ?? 256,
    ca: options.ca,
    traceTo: new Set(options.traceTo?.map((host) => host.toLowerCase())),
  };
}

function countOf(counts: Map<string, number>, key: string): number {
  return counts.get(key) ?? 0;
}

function add(counts: Map<string, number>, key: string, by: number): void {
  const next = countOf(counts, key) + by;
  if (next <= 0) counts.delete(key);
  else counts.set(key, next);
}

/** By name, on any port or on the one that is named. */
function hasHost(hosts: ReadonlySet<string>, address: string): boolean {
  const { host, hostname } = new URL(address);
  return hosts.has(host) || hosts.has(hostname);
}

const urlShape = /^(https?:\/\/[^/?#\\@\s]+)(\/[!-~]*)?$/i;

/** Origin and path of an address that was built here; anything else is refused rather than guessed at. */
function splitUrl(url: string): { origin: string; path: string } | string {
  const found = urlShape.exec(url);
  if (!found?.[1]) return 'address cannot be read';
  return { origin: found[1], path: found[2] ?? '/' };
}

function notSent(why: 'refused-address' | 'too-busy' | 'timeout', detail?: string): OutboundResult {
  return { kind: 'failure', why, sent: false, timing: { waitMs: 0, readMs: 0 }, ...(detail === undefined ? {} : { detail }) };
}

interface Pools {
  known: Map<string, Pool>;
  most: number;
}

/** The oldest pool makes room; its calls under way still finish. */
function poolOf({ known: pools, most }: Pools, origin: string, settings: Settings, onListed?: () => void): Pool {
  const known = pools.get(origin);
  if (known) return known;
  if (pools.size >= most) {
    const [oldest, pool] = pools.entries().next().value!;
    pools.delete(oldest);
    void pool.close();
  }
  const pool = new Pool(origin, {
    connections: settings.concurrencyPerBuyer + settings.latePerBuyer,
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: safeConnector({
      allow: settings.allow,
      resolve: settings.resolve,
      timeoutMs: settings.connectTimeoutMs,
      ...(onListed && { onListed }),
      ...(settings.judge && { judge: settings.judge }),
      ...(settings.ca === undefined ? {} : { ca: settings.ca }),
    }),
  });
  pools.set(origin, pool);
  return pool;
}

const lengthOf = (upload: Upload | undefined) => upload && { 'content-length': String(upload.bytes) };

function send(pool: Pool, path: string, call: OutboundCall, exchange: Exchange, traceTo: ReadonlySet<string>): void {
  const { method, headers, body, url } = call.request;
  const { upload } = call;
  const isTold = call.traceparent !== undefined && traceTo.size > 0 && hasHost(traceTo, url);
  const deadline = { 'x-deadline-ms': String(Math.floor(call.timeoutMs)) };
  const all = { 'user-agent': 'Sluice', ...headers, ...deadline, ...(isTold && { traceparent: call.traceparent! }), ...lengthOf(upload) };
  try {
    pool.dispatch(
      { path, method, headers: all, body: upload ? Readable.from(upload.read(), { highWaterMark: 1 }) : (body ?? null) },
      exchange,
    );
  } catch (error) {
    exchange.onResponseError(undefined, error instanceof Error ? error : new Error('outbound_dispatch_failed'));
  }
}
