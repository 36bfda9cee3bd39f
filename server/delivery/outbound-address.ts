/** Which addresses an outbound call may reach. Tenants choose URLs, so everything that is not public is refused by default. */
import ipaddr from 'ipaddr.js';

/** As `whyRefused`. */
export type Judge = (to: Destination, allow: AllowList, ports?: readonly number[]) => string | undefined;

/** One exception: a host name (`*.` in front takes sub-domains) or a range of addresses, on one port or on all. */
type AllowEntry = { port?: number } & ({ host: string } | { range: ReturnType<typeof ipaddr.parseCIDR> });
export type AllowList = readonly AllowEntry[];

/** Where a connection is about to go; `address` is what the name resolved to. */
export interface Destination {
  host: string;
  port: number;
  address: string;
}

/** An entry that cannot be read; the message is one line. */
export class AllowEntryError extends Error {
  constructor(entry: string) {
    super(`${JSON.stringify(entry)} is not host, host:port, address or CIDR.`);
  }
}

/** Comma list of host, host:port, address, [v6]:port, CIDR or CIDR:port. Throws AllowEntryError. */
export function parseAllowList(text: string): AllowList {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map(parseEntry);
}

function parseEntry(entry: string): AllowEntry {
  const found = /^(?:\[([0-9a-f:.]+)\](\/\d+)?|([0-9a-f:.]*:[0-9a-f:.]*:[0-9a-f:.]*(?:\/\d+)?)|([^\s:[\]]+))(?::(\d{1,5}))?$/i.exec(entry);
  if (!found || Number(found[5] ?? 1) > 65_535 || Number(found[5] ?? 1) === 0) throw new AllowEntryError(entry);
  const name = found[1] ? `${found[1]}${found[2] ?? ''}` : (found[3] ?? found[4]!);
  const port = found[5] === undefined ? {} : { port: Number(found[5]) };
  if (ipaddr.isValidCIDR(name)) return { range: ipaddr.parseCIDR(name), ...port };
  if (ipaddr.isValid(name)) return { range: ipaddr.parseCIDR(`${name}/${name.includes(':') ? 128 : 32}`), ...port };
  if (!/^(?:\*\.)?[\w-]+(?:\.[\w-]+)*$/.test(name)) throw new AllowEntryError(entry);
  return { host: name.toLowerCase(), ...port };
}

const WEB_PORTS = [80, 443];

/** Why a connection must not be made, or undefined. Judged on the resolved address, never on the name. */
export function whyRefused(to: Destination, allow: AllowList, ports: readonly number[] = WEB_PORTS): string | undefined {
  if (allow.some((entry) => isAllowed(entry, to))) return undefined;
  const kind = addressKind(to.address);
  if (kind !== 'public') return `${KIND_WORDS[kind] ?? 'reserved'} address`;
  return ports.includes(to.port) ? undefined : `port ${to.port}`;
}

const AS_IPV6 = 'IPv6 spelling of an IPv4';
/** Kinds by words of people; those that are not here are reserved for some purpose. */
const KIND_WORDS: Readonly<Record<string, string>> = {
  ...{ loopback: 'loopback', broadcast: 'broadcast', multicast: 'multicast', unspecified: 'empty', unreadable: 'unreadable' },
  ...{ private: 'private', uniqueLocal: 'private', carrierGradeNat: 'private', deprecatedSiteLocal: 'private' },
  ...{ linkLocal: 'link-local', scoped: 'link-local' },
  ...{ ipv4Mapped: AS_IPV6, rfc6145: AS_IPV6, rfc6052: AS_IPV6, '6to4': AS_IPV6, teredo: AS_IPV6 },
};

function isAllowed(entry: AllowEntry, to: Destination): boolean {
  if (entry.port !== undefined && entry.port !== to.port) return false;
  if ('host' in entry) return matchesHost(entry.host, plainHost(to.host));
  if (!ipaddr.isValid(to.address)) return false;
  const address = ipaddr.process(to.address);
  return address.kind() === entry.range[0].kind() && address.match(entry.range);
}

function matchesHost(pattern: string, host: string): boolean {
  return pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern;
}

function plainHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
}

const globalUnicast = ipaddr.parseCIDR('2000::/3');

/** 'public', or what it is instead (IANA special-purpose registries, as ipaddr.js names them). */
export function addressKind(text: string): string {
  if (!ipaddr.isValid(text)) return 'unreadable';
  const address = ipaddr.parse(text);
  const range = address.range();
  if (range !== 'unicast') return range;
  if (address.kind() === 'ipv4') return 'public';
  if ((address as ipaddr.IPv6).zoneId !== undefined) return 'scoped';
  return address.match(globalUnicast) ? 'public' : 'unassigned';
}

/** For the moment a configuration is saved: what can be told from the URL alone, in plain words. Names are judged at connect. */
export function refuseUrl(text: string, allow: AllowList): string | undefined {
  if (!URL.canParse(text)) return 'The address cannot be read.';
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'The address must begin with https:// or http://.';
  if (url.username !== '' || url.password !== '') return 'User and password belong under authentication.';
  return refuseHost(url.hostname, portOf(url), allow);
}

/** The same of a host and a port; `ports` need no exception. An address may be spelled in any way that systems read. */
export function refuseHost(name: string, port: number, allow: AllowList, ports: readonly number[] = WEB_PORTS): string | undefined {
  const spelled = `http://${name.includes(':') && !name.startsWith('[') ? `[${name}]` : name}`;
  if (!URL.canParse(spelled)) return 'The address cannot be read.';
  const host = plainHost(new URL(spelled).hostname);
  const isLocalName = host === 'localhost' || /\.(?:localhost|local|internal|home\.arpa)$/.test(host);
  const why = whyRefused({ host, port, address: ipaddr.isValid(host) ? host : isLocalName ? '127.0.0.1' : '1.1.1.1' }, allow, ports);
  if (!why) return undefined;
  const what = why.startsWith('port') ? `only ports ${sayPorts(ports)} are called, not ${port}` : 'it is not on the public internet';
  return `Nothing is sent there: ${what}. Write an address that is, or ask whoever runs this installation to allow it (OUTBOUND_ALLOW).`;
}

const sayPorts = (ports: readonly number[]): string => `${ports.slice(0, -1).join(', ')} and ${ports.at(-1)}`;

export function portOf(url: URL): number {
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
}

/** Addresses that reach this machine: loopback, and the unspecified ones, which systems take for it. */
const OWN_RANGES = ['127.0.0.0/8', '0.0.0.0/32', '::1/128', '::/128'].map((range) => ipaddr.parseCIDR(range));

/** Whether the list opens this machine itself; production refuses to start with such a list. */
export function allowsLoopback(allow: AllowList): boolean {
  return allow.some((entry) =>
    'host' in entry
      ? entry.host === 'localhost' || entry.host.endsWith('.localhost')
      : OWN_RANGES.some((own) => overlaps(entry.range, own)),
  );
}

/** Two ranges meet when they are equal in the bits that the wider one names. */
function overlaps(a: ReturnType<typeof ipaddr.parseCIDR>, b: ReturnType<typeof ipaddr.parseCIDR>): boolean {
  return a[0].kind() === b[0].kind() && a[0].match([b[0], Math.min(a[1], b[1])] as ReturnType<typeof ipaddr.parseCIDR>);
}
