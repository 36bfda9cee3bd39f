/** Redirects of a call that may be followed: where each leads, what is sent there, and what is not (wire-quirks 44). */
import { SIGNATURE_HEADER, TIMESTAMP_HEADER } from '#contract/endpoint.signature.ts';
import type { OutboundResult } from './outbound-exchange.ts';
import type { WireRequest } from './wire.ts';

/** Who sends a call on more often than that sends it in a circle. */
const MOST_HOPS = 3;

/** What is secret about a call, and stays with the origin that it was written for. */
export interface Following {
  /** The request with masks in the place of secrets: what differs from the real one holds some. */
  masked: () => WireRequest;
  holdsSecret: (text: string) => boolean;
}

/** One redirect that was followed: the status that sent the call on, and what was called then. */
export interface Hop {
  status: number;
  method: string;
  url: string;
}

/** One request on its way, within what is left of the time limit; `spentMs` went by before it, on the hops that led to it. */
export type SendHop = (request: WireRequest, leftMs: number, before: { hops: readonly Hop[]; spentMs: number }) => Promise<OutboundResult>;

/** Sends `first` and goes where its answer leads, within one time limit. A call that was sent on once was sent, whatever became of it. */
export async function followRedirects(first: WireRequest, timeoutMs: number, following: Following, send: SendHop): Promise<OutboundResult> {
  const startedAt = performance.now();
  const hops: Hop[] = [];
  let request = first;
  let spentMs = 0;
  for (;;) {
    const result = await send(request, timeoutMs - spentMs, { hops, spentMs });
    const told = hops.length === 0 ? result : withHops(result, hops, spentMs);
    if (!leadsOn(result)) return told;
    const status = result.status!;
    const next = hops.length === MOST_HOPS ? `more than ${MOST_HOPS} times` : nextRequest(request, status, locationOf(result), following);
    if (typeof next === 'string') return refused(told, status, next);
    if (hasBeen(next, first, hops)) return refused(told, status, 'in a circle');
    spentMs = performance.now() - startedAt;
    if (spentMs >= timeoutMs) return outOfTime(told, status);
    hops.push({ status, method: next.method, url: next.url });
    request = next;
  }
}

export const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status);

const leadsOn = (result: OutboundResult): boolean => (result.kind === 'failure' ? result.why === 'redirect' : isRedirect(result.status));

const locationOf = (result: OutboundResult) => (result.kind === 'failure' ? result.location : result.headers.location);

const hasBeen = ({ method, url }: WireRequest, first: WireRequest, hops: readonly Hop[]): boolean =>
  [{ method: first.method, url: whole(first.url) }, ...hops].some((one) => one.method === method && one.url === url);

const whole = (url: string): string => (URL.canParse(url) ? new URL(url).href : url);

/** Left out by whoever reads an address: what stands around them could become the name of a host. */
const UNPRINTED = /[^ -~\u0080-\uffff]|^ | $/;
/** A whole address, or one that is told from the address that was called: a path, a query, another host of the same scheme. */
const LOCATION = /^(https?:\/\/[^/?#\\]|(?![a-z][a-z0-9+.-]*:|\/\/[/\\]|\\|\/\\))/i;

/** What is called next, or why nothing is. */
function nextRequest(
  request: WireRequest,
  status: number,
  location: string | string[] | undefined,
  following: Following,
): WireRequest | string {
  if (location === undefined || location === '') return 'its Location is missing';
  if (typeof location !== 'string' || UNPRINTED.test(location) || !LOCATION.test(location) || !URL.canParse(location, request.url))
    return 'its Location is no https:// or http:// address';
  const [from, to] = [new URL(request.url), new URL(location, request.url)];
  to.hash = '';
  if (to.username !== '' || to.password !== '') return 'its Location names a user or a password';
  if (from.protocol === 'https:' && to.protocol === 'http:') return 'from https:// to http://';
  const keepsBody = status === 307 || status === 308 || (status !== 303 && request.method !== 'POST');
  const next = keepsBody ? { ...request, url: to.href } : withoutBody(request, to.href);
  return from.origin === to.origin ? next : forElsewhere(next, following);
}

/** Of no use without the body that they tell of. */
const BODY_HEADERS: ReadonlySet<string> = new Set(['content-type', 'soapaction', SIGNATURE_HEADER, TIMESTAMP_HEADER]);

function withoutBody({ headers }: WireRequest, url: string): WireRequest {
  return { method: 'GET', url, headers: pickHeaders(headers, (name) => !BODY_HEADERS.has(name)) };
}

/** What another origin may be told beside the body; every other header may be what the buyer knows us by. */
const OPEN_HEADERS: ReadonlySet<string> = new Set(['accept', 'content-type', 'soapaction', 'user-agent']);

/** Goes without credentials, cookies and headers of one's own; where a secret would go along, not at all. */
function forElsewhere(request: WireRequest, { masked, holdsSecret }: Following): WireRequest | string {
  if (holdsSecret(request.url)) return 'another server, with a secret in the address';
  const open = masked();
  if (request.body !== undefined && request.body !== open.body) return 'another server, which would be sent a secret in the body';
  return { ...request, headers: pickHeaders(request.headers, (name, value) => OPEN_HEADERS.has(name) && open.headers[name] === value) };
}

function pickHeaders(headers: WireRequest['headers'], keeps: (name: string, value: string) => boolean): WireRequest['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name, value]) => keeps(name, value)));
}

/** The times of all hops are one: until the answer that counts. */
function withHops(result: OutboundResult, hops: readonly Hop[], spentMs: number): OutboundResult {
  const { connectMs = 0, waitMs, readMs } = result.timing;
  const timing = { waitMs: spentMs + connectMs + waitMs, readMs };
  return { ...result, timing, hops: [...hops], ...(result.kind === 'failure' && { sent: true }) };
}

function refused({ timing, hops }: OutboundResult, status: number, detail: string): OutboundResult {
  return { kind: 'failure', why: 'redirect', sent: true, status, timing, detail, ...(hops && { hops }) };
}

function outOfTime({ timing, hops }: OutboundResult, status: number): OutboundResult {
  return { kind: 'failure', why: 'timeout', sent: true, status, timing, ...(hops && { hops }) };
}
