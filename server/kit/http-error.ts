import type { FastifyReply } from 'fastify';
import type { ErrorView, Factor } from '#contract/error.ts';

/** A refusal that a route throws to answer with: HTTP code, stable code, and a sentence that says what to do next. */
export class HttpError extends Error {
  readonly statusCode: number;
  readonly code: string;
  readonly errors: { field: string; message: string }[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly key: string | undefined;
  readonly status: 'danger' | false;
  readonly uses: string[] | undefined;
  readonly needs: Factor[] | undefined;
  readonly current: Record<string, unknown> | undefined;

  constructor(
    statusCode: number,
    code: string,
    message: string,
    /** `key`: which of the specification's numbered failures it is (account §8). */
    more: {
      errors?: { field: string; message: string }[];
      retryAfterSeconds?: number;
      key?: string;
      status?: 'danger';
      uses?: string[];
      needs?: Factor[];
      current?: Record<string, unknown>;
    } = {},
  ) {
    super(message);
    this.statusCode = statusCode;
    this.code = code;
    this.errors = more.errors;
    this.retryAfterSeconds = more.retryAfterSeconds;
    this.key = more.key;
    this.status = more.status ?? false;
    this.uses = more.uses;
    this.needs = more.needs;
    this.current = more.current;
  }
}

export function sendError(reply: FastifyReply, error: HttpError): FastifyReply {
  const { code, message: msg, errors, key, status, uses, needs, current } = error;
  const body: ErrorView = {
    status,
    code,
    msg,
    ...(errors && { errors }),
    ...(key && { key }),
    ...(uses && { uses }),
    ...(needs && { needs }),
    ...(current && { current }),
  };
  reply.refusal = { status: error.statusCode, code };
  if (error.retryAfterSeconds) reply.header('retry-after', String(error.retryAfterSeconds));
  return reply.code(error.statusCode).send(body);
}
