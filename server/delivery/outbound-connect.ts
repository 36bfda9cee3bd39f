/** Connections for the outbound client: every resolved address is checked, and the socket's own address once more. */
import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { type AllowList, type Judge, whyRefused } from './outbound-address.ts';

/** All addresses of a name; rejects when there are none. */
export type Resolve = (hostname: string) => Promise<string[]>;

export class AddressRefused extends Error {
  readonly code = 'ADDRESS_REFUSED';
}

export interface ConnectOptions {
  allow: AllowList;
  resolve: Resolve;
  timeoutMs: number;
  /** Extra certificate authorities, for buyers with their own and for tests. */
  ca?: string;
  /** Told of a connection to an address that only the list of exceptions lets through; one that is public, on whatever port, is a stranger's. */
  onListed?: () => void;
  judge?: Judge;
}

export function systemResolve(hostname: string): Promise<string[]> {
  return lookup(hostname, { all: true }).then((found) => found.map((entry) => entry.address));
}

const FRESH_MS = 15_000;
const STALE_MS = 300_000;
const MAX_NAMES = 5000;
const RESOLVE_TIMEOUT_MS = 5000;

/**
 * Names are looked up once per 15 s; an older answer serves for up to 5 min while it is renewed, so that a slow resolver (or a
 * thread pool busy with password hashing) never holds a call up. Safe, because every answer is checked at each connect.
 */
export function rememberNames(resolve: Resolve, now: () => number = Date.now): Resolve {
  const known = new Map<string, { addresses: Promise<string[]>; at: number; settled: boolean }>();
  const ask = (hostname: string) => {
    const entry = { addresses: withTimeout(resolve(hostname), hostname), at: now(), settled: false };
    const forget = () => void (known.get(hostname) === entry && known.delete(hostname));
    entry.addresses.then(() => Object.assign(entry, { settled: true, at: now() }), forget);
    return entry;
  };
  return (hostname) => {
    const entry = known.get(hostname);
    if (entry && (!entry.settled || now() - entry.at < FRESH_MS)) return entry.addresses;
    const next = ask(hostname);
    if (known.size >= MAX_NAMES) known.clear();
    if (!entry || now() - entry.at > STALE_MS) {
      known.set(hostname, next);
      return next.addresses;
    }
    entry.at = now() - FRESH_MS + 1000;
    next.addresses.then(
      () => known.set(hostname, next),
      () => undefined,
    );
    return entry.addresses;
  };
}

function withTimeout(addresses: Promise<string[]>, hostname: string): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${hostname} did not resolve in time`)), RESOLVE_TIMEOUT_MS);
    timer.unref();
    addresses.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** undici connector for one origin; built once, so that TLS sessions are resumed. The name stays for TLS; only checked addresses are ever dialled. */
export function safeConnector(options: ConnectOptions): buildConnector.connector {
  const { judge = whyRefused } = options;
  let connect: buildConnector.connector | undefined;
  return (to, callback) => {
    const port = to.port ? Number(to.port) : to.protocol === 'https:' ? 443 : 80;
    const check = (address: string) => judge({ host: to.hostname, port, address }, options.allow);
    const refused = isIP(to.hostname) ? check(to.hostname) : undefined;
    if (refused) return void callback(new AddressRefused(refused), null);
    connect ??= buildConnector({
      timeout: options.timeoutMs,
      autoSelectFamily: true,
      lookup: checkedLookup(options.resolve, check),
      ...(options.ca === undefined ? {} : { ca: options.ca }),
    });
    connect(to, (error, socket) => {
      if (error) return void callback(error, null);
      const remote = socket.remoteAddress;
      const why = remote === undefined ? 'unknown address' : check(remote);
      if (!why && judge({ host: to.hostname, port, address: remote! }, [], [port])) options.onListed?.();
      if (!why) return void callback(null, socket);
      socket.destroy();
      callback(new AddressRefused(why), null);
    });
  };
}

/** One refused address among several refuses the name: a mixed answer is an attack or a mistake. */
export function checkedLookup(resolve: Resolve, check: (address: string) => string | undefined): LookupFunction {
  return (hostname, lookupOptions, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const refused = addresses.map(check).find((why) => why !== undefined);
        const list = addresses.map((address) => ({ address, family: isIP(address) }));
        if (refused || list.length === 0) callback(new AddressRefused(refused ?? 'no address'), []);
        else if (lookupOptions.all) callback(null, list);
        else callback(null, list[0]!.address, list[0]!.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}
