/** Secrets never reach the attempt log: the request is built once more with masks, answers are searched for echoes. */
import { SIGNATURE_HEADER } from '#contract/endpoint.signature.ts';
import { TOKEN_CAPTURE } from '#contract/endpoint.token.ts';
import type { Build } from './compile-request.ts';
import { escapeForm, escapeJson, escapeUrl, escapeXml } from './escape.ts';
import type { Following } from './outbound-redirect.ts';
import type { BuildInput, WireRequest } from './wire.ts';

export const MASK = '_masked_';

/** The request as the log keeps it. Exact where searching could not be: short secrets, encoded and hashed ones. */
export function maskedRequest(build: Build, input: BuildInput, request: WireRequest): WireRequest {
  const names = Object.keys(input.context.secrets ?? {});
  const { captures } = input.call;
  const hasToken = captures !== undefined && TOKEN_CAPTURE in captures;
  if (names.length === 0 && !hasToken) return recorded(request);
  const secrets = Object.fromEntries(names.map((name) => [name, MASK]));
  const call = hasToken ? { ...input.call, captures: { ...captures, [TOKEN_CAPTURE]: MASK } } : input.call;
  const masked = build({ lead: input.lead, call, context: { ...input.context, secrets } }).request;
  if (masked.headers.authorization) masked.headers.authorization = `${masked.headers.authorization.split(' ', 1)[0]} ${MASK}`;
  return recorded(masked);
}

/** The user name is kept with the secrets, and goes no further than they do. */
export function followingOf(build: Build, input: BuildInput, request: WireRequest): Following {
  const { context } = input;
  const nameless = context.username === undefined ? input : { ...input, context: { ...context, username: MASK } };
  return {
    masked: () => maskedRequest(build, nameless, request),
    holdsSecret: (url) => maskSecretUrl(url, input, request) !== url,
  };
}

/** Without what only sending needs; a signature made of masks is none. */
export function recorded({ mail: _sent, ...request }: WireRequest): WireRequest {
  if (!(SIGNATURE_HEADER in request.headers)) return request;
  return { ...request, headers: { ...request.headers, [SIGNATURE_HEADER]: `v1=${MASK}` } };
}

/** Below this length a secret is as likely to be a plain word of the answer. */
const MIN_ECHO = 4;

/** A buyer that echoes what we sent must not write our credentials into the log. */
export function maskSecrets(text: string, input: BuildInput, request: WireRequest): string {
  const credentials = request.headers.authorization?.split(' ').at(-1) ?? input.call.captures?.[TOKEN_CAPTURE];
  return hideSecrets(text, [...Object.values(input.context.secrets ?? {}), ...(credentials ? [credentials] : [])]);
}

/** Of an address that somebody else wrote, who may encode it otherwise than we do; what of it holds a secret so is left out as a whole. */
export function maskSecretUrl(url: string, input: BuildInput, request: WireRequest): string {
  const masked = maskSecrets(url, input, request);
  const isClean = [masked, masked.replaceAll('+', ' ')].map(decoded).every((plain) => maskSecrets(plain, input, request) === plain);
  return isClean ? masked : `${maskSecrets(new URL(url).origin, input, request)}/${MASK}`;
}

/** Whoever is called may decode what he is sent more than once. */
const DECODED_TIMES = 3;

/** Every byte that is told by its code, also in an address that is not well formed. */
function decoded(url: string): string {
  let text = url;
  for (let time = 0; time < DECODED_TIMES; time++)
    text = text.replace(/(?:%[0-9a-f]{2})+/gi, (codes) => Buffer.from(codes.replaceAll('%', ''), 'hex').toString());
  return text;
}

export function hideSecrets(text: string, secrets: readonly string[]): string {
  let masked = text;
  for (const secret of secrets) {
    if (secret.length < MIN_ECHO) continue;
    for (const spelling of new Set([secret, escapeUrl(secret), escapeForm(secret), escapeJson(secret), escapeXml(secret)])) {
      masked = masked.replaceAll(spelling, MASK);
    }
  }
  return masked;
}
