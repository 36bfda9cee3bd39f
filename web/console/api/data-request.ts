import type { AcceptAgainAnswer, ErasePersonAnswer, FindPersonAnswer } from '#contract/data-request.ts';
import { postJson, postText } from './client.ts';

/** What is sought travels in the body: addresses are logged by whatever stands between. */
export const findPerson = (q: string, before: string | null, signal: AbortSignal) =>
  postJson<FindPersonAnswer>('/api/console/data-requests/find', { q, ...(before && { before }) }, signal);

/** As JSON; a CSV is asked for by a form. */
export const exportPerson = (q: string, reason: string) => postText('/api/console/data-requests/export', { q, reason, format: 'json' });

export const erasePerson = (q: string, reason: string, confirm: string, mayComeAgain: boolean) =>
  postJson<ErasePersonAnswer>('/api/console/data-requests/erase', { q, reason, confirm, mayComeAgain });

export const acceptAgain = (q: string, reason: string) =>
  postJson<AcceptAgainAnswer>('/api/console/data-requests/accept-again', { q, reason });
