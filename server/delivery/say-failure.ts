/** Why a call came to nothing, in words for people. */
import type { OutboundFailure } from './outbound-exchange.ts';

/** What node and OpenSSL call it, where a person knows it by another name. */
const BY_CODE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'its host name is not known (DNS)',
  EAI_AGAIN: 'its host name could not be looked up (DNS)',
  EHOSTUNREACH: 'no way to its host',
  ENETUNREACH: 'no way to its network',
  ETIMEDOUT: 'no connection in time',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  ECONNRESET: 'connection cut off',
};

const BY_KIND: Readonly<Record<OutboundFailure, string>> = {
  timeout: 'no answer in time',
  connect: 'no connection',
  tls: 'no secure connection (TLS)',
  'refused-address': 'its address may not be called',
  reset: 'connection cut off before an answer came',
  'too-large': 'its answer is too large',
  redirect: 'it sent us on to another address',
  'too-busy': 'too many calls to it are under way',
};

/** A detail that no word is known for stands behind the kind, as whoever looks into it will search for it. */
export function sayFailure({ hops, ...failure }: Failure): string {
  const said = sayWhy(failure);
  return hops?.length && failure.why !== 'redirect' ? `it sent us on to another address, and there: ${said}` : said;
}

interface Failure {
  why: OutboundFailure;
  detail?: string | undefined;
  /** Redirects that were followed before. */
  hops?: readonly unknown[] | undefined;
}

function sayWhy({ why, detail }: Failure): string {
  if (why === 'connect' && detail && BY_CODE[detail]) return BY_CODE[detail];
  return why === 'timeout' || why === 'reset' || detail === undefined ? BY_KIND[why] : `${BY_KIND[why]}: ${detail}`;
}
