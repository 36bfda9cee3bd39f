/** The signature of a call (docs/signed-webhooks.md): the buyer recomputes it with the secret we share. */
import { createHmac } from 'node:crypto';
import { SIGNATURE_HEADER, TIMESTAMP_HEADER } from '#contract/endpoint.signature.ts';
import type { Signing } from '#contract/endpoint.ts';
import type { Building } from './compile-value.ts';

/** From the body, as it is sent, to the headers that sign it. */
export type Sign = (body: string, building: Building) => Record<string, string>;

/** A secret that is not there signs nothing: an empty key would be anybody's. */
export function compileSignature({ secret, previous }: Signing): Sign {
  const until = previous && Date.parse(previous.until);
  return (body, building) => {
    const { now, secrets = {} } = building.input.context;
    const seconds = Math.floor(now / 1000);
    const names = previous && now < until! ? [secret, previous.secret] : [secret];
    const signatures = names.flatMap((name) => {
      const key = Object.hasOwn(secrets, name) ? secrets[name]! : '';
      if (key === '') building.warnings.push({ code: 'unknown-secret', at: name });
      return key === '' ? [] : [`v1=${signatureOf(key, seconds, body)}`];
    });
    return { [TIMESTAMP_HEADER]: String(seconds), ...(signatures.length > 0 && { [SIGNATURE_HEADER]: signatures.join(',') }) };
  };
}

/** Hex of HMAC-SHA256 over "timestamp.body", both UTF-8. */
export function signatureOf(key: string, seconds: number, body: string): string {
  return createHmac('sha256', key).update(`${seconds}.${body}`).digest('hex');
}

/** The same of a body that is read part by part. */
export async function signatureOfParts(key: string, seconds: number, parts: AsyncIterable<Buffer>): Promise<string> {
  const hmac = createHmac('sha256', key).update(`${seconds}.`);
  for await (const part of parts) hmac.update(part);
  return hmac.digest('hex');
}
