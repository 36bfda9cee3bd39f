/** One request on its way: undici's handler, the deadline, and an honest account of what happened. */
import type { Dispatcher } from 'undici';
import type { FirstTry } from './outbound-again.ts';
import { decodeBody } from './outbound-body.ts';
import { type Hop, isRedirect } from './outbound-redirect.ts';
import type { WireResponse } from './wire.ts';

export type OutboundFailure = 'timeout' | 'refused-address' | 'connect' | 'tls' | 'reset' | 'too-large' | 'redirect' | 'too-busy';

/** connectMs: until the request was written (name, connect, TLS, queue). waitMs: until the headers. readMs: until the end. */
export interface OutboundTiming {
  connectMs?: number;
  waitMs: number;
  readMs: number;
}
export type OutboundResult = (
  | ({ kind: 'response' } & WireResponse)
  /** `sent` is false only when nothing can have reached the other side. `status` is there when only the rest of an answer is missing, `location` where it leads elsewhere. `detail` holds no lead data. */
  | { kind: 'failure'; why: OutboundFailure; sent: boolean; status?: number; location?: string | string[]; detail?: string }
) & {
  timing: OutboundTiming;
  /** Redirects that were followed. */
  hops?: Hop[];
  /** Where this is the second of two tries. */
  firstTry?: FirstTry;
};
/** The answer that came after the time limit, `elapsedMs` after the call began. */
export type LateAnswer = Extract<OutboundResult, { kind: 'response' }> & { elapsedMs: number };

export interface ExchangeOptions {
  timeoutMs: number;
  maxBodyBytes: number;
  /** Grace for a late answer in ms, asked at the deadline; 0 cuts the call off. */
  claimGraceMs: () => number;
  onSettled: (result: OutboundResult) => void;
  /** Its place may go to another call: it is over and undici holds nothing of it any more, or it only waits for a late answer. */
  onFree: () => void;
  /** `late` is set when an answer came within the grace period. */
  onClosed: (late: LateAnswer | undefined) => void;
}

type Phase = 'running' | 'late' | 'closed';
const abortReason = new Error('outbound_aborted');

/** Settles, closes and frees its place exactly once each. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #options: ExchangeOptions;
  readonly #startedAt = performance.now();
  #phase: Phase = 'running';
  #timer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | undefined;
  #sentAt = 0;
  #headersAt = 0;
  #status = 0;
  #headers: WireResponse['headers'] = {};
  #chunks: Buffer[] = [];
  #size = 0;
  /** Still with undici, waiting for a connection; a call that timed out there keeps its place, or a dead host would pile them up. */
  #isQueued = true;
  #isFree = false;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    this.#timer = setTimeout(onDeadline, options.timeoutMs, this);
  }

  /** Called right before the request is written; aborting here means that nothing was. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.#isQueued = false;
    if (this.#phase !== 'closed') this.#sentAt = performance.now();
    else {
      controller.abort(abortReason);
      this.#free();
    }
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: WireResponse['headers']): void {
    if (status < 200) return;
    this.#headersAt = performance.now();
    this.#status = status;
    this.#headers = headers;
    if (isRedirect(status) && headers.location !== undefined) this.#fail('redirect');
    else if (Number(headers['content-length'] ?? 0) > this.#options.maxBodyBytes) this.#fail('too-large');
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#phase === 'closed') return;
    if (this.#size > this.#options.maxBodyBytes) this.#fail('too-large');
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (this.#phase === 'closed') return;
    const raw = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
    const decoded = decodeBody(raw, contentEncoding(this.#headers), this.#options.maxBodyBytes);
    if (!decoded.ok) this.#fail(decoded.why);
    else this.#finish({ kind: 'response', status: this.#status, headers: this.#headers, body: decoded.body, timing: this.#timing() });
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#isQueued = false;
    if (this.#phase === 'closed') this.#free();
    else this.#fail(whyOf(error, this.#sentAt > 0), detailOf(error));
  }

  /** The time is up: settle as a timeout, and either keep listening for a while or cut off. */
  reachDeadline(): void {
    if (this.#phase === 'running') this.#settleLate();
    else this.#cut();
  }

  #settleLate(): void {
    const graceMs = this.#sentAt > 0 ? this.#options.claimGraceMs() : 0;
    const result = this.#failure('timeout');
    if (graceMs === 0) {
      this.#finish(result);
      return;
    }
    this.#phase = 'late';
    this.#timer = setTimeout(onDeadline, graceMs, this);
    this.#timer.unref();
    this.#free();
    this.#options.onSettled(result);
  }

  #fail(why: OutboundFailure, detail?: string): void {
    this.#finish(this.#failure(why, detail));
  }

  #failure(why: OutboundFailure, detail?: string): OutboundResult {
    const { location } = this.#headers;
    const told = { ...(this.#status > 0 && { status: this.#status }), ...(detail !== undefined && { detail }) };
    const led = why === 'redirect' && location !== undefined && { location };
    return { kind: 'failure', why, sent: this.#sentAt > 0, timing: this.#timing(), ...told, ...led };
  }

  #finish(result: OutboundResult): void {
    const phase = this.#phase;
    if (phase === 'closed') return;
    this.#close(result.kind === 'failure');
    if (phase === 'running') this.#options.onSettled(result);
    const isLate = phase === 'late' && result.kind === 'response';
    this.#options.onClosed(isLate ? { ...result, elapsedMs: performance.now() - this.#startedAt } : undefined);
  }

  #cut(): void {
    if (this.#phase === 'closed') return;
    this.#close(true);
    this.#options.onClosed(undefined);
  }

  #close(destroy: boolean): void {
    this.#phase = 'closed';
    clearTimeout(this.#timer);
    this.#chunks = [];
    if (destroy) this.#controller?.abort(abortReason);
    if (!this.#isQueued) this.#free();
  }

  #free(): void {
    if (this.#isFree) return;
    this.#isFree = true;
    this.#options.onFree();
  }

  #timing(): OutboundTiming {
    const now = performance.now();
    if (this.#sentAt === 0) return { connectMs: now - this.#startedAt, waitMs: 0, readMs: 0 };
    const headersAt = this.#headersAt || now;
    return { connectMs: this.#sentAt - this.#startedAt, waitMs: headersAt - this.#sentAt, readMs: now - headersAt };
  }
}

/** One function for all timers, so that none needs a closure. */
function onDeadline(exchange: Exchange): void {
  exchange.reachDeadline();
}

function contentEncoding(headers: WireResponse['headers']): string | undefined {
  const value = headers['content-encoding'];
  return Array.isArray(value) ? value.join(',') : value;
}

/** Node's and undici's error codes as one of ours. */
function whyOf(error: Error, sent: boolean): OutboundFailure {
  const code = codeOf(error);
  if (code === 'ADDRESS_REFUSED') return 'refused-address';
  if (code === 'UND_ERR_HEADERS_OVERFLOW' || code === 'HPE_HEADER_OVERFLOW') return 'too-large';
  if (sent) return 'reset';
  return /^(?:ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|EPROTO)/.test(code) ? 'tls' : 'connect';
}

/** Happy eyeballs wraps the errors of all addresses in one; the first says why. */
function codeOf(error: Error): string {
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return codeOf(error.errors[0]);
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function detailOf(error: Error): string {
  return codeOf(error) === 'ADDRESS_REFUSED' ? error.message : codeOf(error) || error.name;
}
