/** What stands in a checked endpoint must compile before it is stored. */
import type { EndpointConfig } from '#contract/endpoint.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { compileTier } from './deliver.ts';

/** Throws 400 with what is wrong. */
export function requireUsable(endpoint: EndpointConfig): void {
  try {
    compileTier(endpoint, 'check');
  } catch (error) {
    const message = error instanceof Error ? error.message : 'cannot be used';
    throw new HttpError(400, 'endpoint_invalid', `The endpoint cannot be used: ${message}`, { errors: [{ field: 'endpoint', message }] });
  }
}
