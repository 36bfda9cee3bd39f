/** Where an endpoint speaks to, and with which of its secrets: what is stored sealed goes only to origins it was written for. */
import type { EndpointConfig, LegConfig } from './endpoint.ts';

/** As an endpoint is while somebody writes it: any member may be missing. */
export type EndpointDraft = { [Leg in keyof EndpointConfig]?: unknown };

/** Scheme, host and port of ping, post, loss notice and the calls for their tokens, every address of a mail; an address that cannot be read has none. */
function originsOf(endpoint: EndpointDraft): Set<string> {
  const addresses = [endpoint.ping, endpoint.post, endpoint.lost].flatMap((leg) => {
    const { url, auth, body } = (leg ?? {}) as Partial<LegConfig>;
    const token = auth?.kind === 'oauth2' ? auth.tokenUrl : auth?.kind === 'tokenCall' ? auth.call?.url : undefined;
    const copies = body?.format === 'mail' && Array.isArray(body.copyTo) ? body.copyTo.map((address) => `mailto:${address}`) : [];
    return [url, token, ...copies];
  });
  return new Set(addresses.flatMap((address) => originOf(address) ?? []));
}

function originOf(address: unknown): string | undefined {
  if (typeof address === 'string' && /^mailto:/i.test(address)) return address.toLowerCase();
  const [origin] = (typeof address === 'string' && /^https?:\/\/[^/?#\\]+/i.exec(address)) || [];
  return origin !== undefined && URL.canParse(origin) ? new URL(origin).origin : undefined;
}

/** Those of `next` that `stored` does not speak to. */
export function newOrigins(stored: EndpointDraft, next: EndpointDraft): string[] {
  const known = originsOf(stored);
  return [...originsOf(next)].filter((origin) => !known.has(origin));
}

/** Every secret that a part of an endpoint names; user name and password also under the spec's own keys. */
export function secretNamesOf(part: unknown): string[] {
  const found = JSON.stringify(part ?? null).matchAll(
    /"secret":"(\w+)"|"kind":"secret","name":"(\w+)"|\{\{\s*secret\.(\w+)|"kind":"system","name":"(username|password)"|\{\{\s*system\.(username|password)/g,
  );
  return [...new Set([...found].map((names) => names.slice(1).find((name) => name !== undefined)!))];
}

/** What is told to whoever would send stored secrets elsewhere. */
export function sayNewOrigins(origins: readonly string[], names: readonly string[]): string {
  const what = names.length === 1 ? `the secret ${names[0]}` : `the secrets ${names.join(', ')}`;
  return `The stored secrets were not written for ${origins.join(' and ')}. Write ${what} anew, or remove what is not needed there.`;
}
