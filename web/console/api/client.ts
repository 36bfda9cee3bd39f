import type { ErrorView, Factor } from '#contract/error.ts';
import { MESSAGES } from '#contract/message.ts';
import { isUnattended } from '../session/last-action.ts';
import { noteAnswer, noteReached } from './connection.ts';

/** The exact words of account §8. */
export const offlineMessage = MESSAGES.networkFailure;

/** A refusal of the server, or no answer at all (`httpStatus` 0). */
export class ApiError extends Error {
  readonly httpStatus: number;
  readonly code: string;
  readonly fields: readonly { field: string; message: string }[];
  /** Of a record that somebody changed meanwhile: as it is now. */
  readonly current: ErrorView['current'];
  constructor(httpStatus: number, code: string, message: string, fields: ErrorView['errors'] = [], current?: ErrorView['current']) {
    super(message);
    this.current = current;
    this.httpStatus = httpStatus;
    this.code = code;
    this.fields = fields;
  }
}

let signedOutListener: () => void = () => {};
/** Called when the server says that nobody is signed in any more. */
export const onSignedOut = (listener: () => void): void => {
  signedOutListener = listener;
};

type Prover = (needs: readonly Factor[]) => Promise<boolean>;
let prover: Prover | undefined;
/** Of calls at the same moment one asks, for all of them. */
let proving: Promise<boolean> | undefined;
/** Called where a call asks for a fresh proof of who is there: resolves to whether it was given. Returns how to stop listening. */
export const onProofNeeded = (listener: Prover): (() => void) => {
  prover = listener;
  return () => {
    prover = undefined;
  };
};

function proofIsGiven(needs: readonly Factor[]): Promise<boolean> {
  proving ??= (prover?.(needs) ?? Promise.resolve(false)).finally(() => {
    proving = undefined;
  });
  return proving;
}

export const getJson = <Answer>(path: string, signal?: AbortSignal): Promise<Answer> => callJson<Answer>(path, signal ? { signal } : {});

export const postJson = <Answer>(path: string, body: unknown, signal?: AbortSignal): Promise<Answer> =>
  callJson<Answer>(path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
    ...(signal && { signal }),
  });

export const postFile = <Answer>(path: string, file: File): Promise<Answer> =>
  callJson<Answer>(path, { method: 'POST', body: file, headers: { 'content-type': file.type || 'application/octet-stream' } });

/** Bytes as they are. */
export const postPart = <Answer>(path: string, bytes: Blob): Promise<Answer> =>
  callJson<Answer>(path, { method: 'POST', body: bytes, headers: { 'content-type': 'application/octet-stream' } });

/** For a file that is not asked for by a form, because what it is about must not stand in one: its text. */
export async function postText(path: string, body: unknown): Promise<string> {
  const response = await send(path, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });
  const text = await response.text();
  noteAnswer(response.status, true);
  if (response.ok) return text;
  const refusal = readRefusal(text);
  if (response.status === 401 && refusalOf(401, refusal).code === 'session_missing') signedOutListener();
  throw refusalOf(response.status, refusal);
}

function readRefusal(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function callJson<Answer>(path: string, init: RequestInit): Promise<Answer> {
  const response = await send(path, init);
  const body: unknown = await response.json().catch(() => null);
  noteAnswer(response.status, body !== null);
  if (response.ok && body !== null) return body as Answer;
  // A refused sign-in or code is no session that ended.
  if (response.status === 401 && refusalOf(401, body).code === 'session_missing') signedOutListener();
  const refusal = refusalOf(response.status, body);
  if (refusal.code !== 'session_proof_needed') throw refusal;
  if (await proofIsGiven((body as ErrorView).needs ?? [])) return callJson<Answer>(path, init);
  throw new ApiError(response.status, refusal.code, 'Nothing was done: it was not shown that it is you.');
}

async function send(path: string, init: RequestInit): Promise<Response> {
  try {
    // The first header proves that the call comes from our own page (account §7), the second says that nobody is before it (console §4).
    const unattended = isUnattended(Date.now()) && { 'x-unattended': 'true' };
    const response = await fetch(path, {
      ...init,
      headers: { accept: 'application/json', 'x-requested-with': 'sluice', ...unattended, ...init.headers },
      credentials: 'same-origin',
    });
    return response;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    noteReached(false);
    throw new ApiError(0, 'network_offline', offlineMessage);
  }
}

function refusalOf(httpStatus: number, body: unknown): ApiError {
  const view = (typeof body === 'object' && body !== null ? body : {}) as Partial<ErrorView>;
  const message =
    view.msg ||
    (httpStatus === 429 ? 'Too many tries. Wait a minute and try again.' : `The server could not answer (${httpStatus}). Try again.`);
  return new ApiError(httpStatus, view.code ?? 'server_error', message, view.errors, view.current);
}
