/** What stands in a checked endpoint must compile before it is stored, and its addresses must be such as are called at all. */

import { noticeLeg } from '#contract/endpoint.notice.ts';
import { tokenLegOf } from '#contract/endpoint.token.ts';
import type { EndpointConfig } from '#contract/endpoint.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { compileTier } from './deliver.ts';
import { type AllowList, refuseUrl } from './outbound-address.ts';

/** Throws 400 with what is wrong. */
export function requireUsable(endpoint: EndpointConfig): void {
  try {
    compileTier(endpoint, 'check');
  } catch (error) {
    const message = error instanceof Error ? error.message : 'cannot be used';
    throw new HttpError(400, 'endpoint_invalid', `The endpoint cannot be used: ${message}`, { errors: [{ field: 'endpoint', message }] });
  }
}

/** Throws 400 for addresses inside the network, and ports that are not called; names are judged at each call again. A mail goes to no address of this kind. */
export function requireReachable(endpoint: EndpointConfig, allow: AllowList): void {
  const { ping, post, lost } = endpoint;
  const legs = { ping, post, lost: lost && noticeLeg(lost) };
  const errors = Object.entries(legs).flatMap(([name, leg]) => {
    const token = tokenLegOf(leg?.auth);
    return [
      ...(leg && leg.body.format !== 'mail' ? refused(`endpoint.${name}.url`, leg.url, allow) : []),
      ...(token ? refused(`endpoint.${name}.auth`, token.url, allow) : []),
    ];
  });
  if (errors.length > 0) throw new HttpError(400, 'endpoint_address_refused', errors[0]!.message, { errors });
}

function refused(field: string, url: string, allow: AllowList): { field: string; message: string }[] {
  const message = refuseUrl(url, allow);
  return message ? [{ field, message }] : [];
}
