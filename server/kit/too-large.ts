/** A body that is larger than its route takes. */
import type { FastifyRequest } from 'fastify';
import { HttpError } from './http-error.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What is said of a body that is too large: the limit, and what to do. */
    tooLarge?: string;
  }
}

export const tooLarge = (request: FastifyRequest): HttpError =>
  new HttpError(413, 'body_too_large', request.routeOptions.config.tooLarge ?? 'This is more than is taken here at once. Send less of it.');
