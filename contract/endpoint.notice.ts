/** A loss notice as a leg like another, and the one value that only it may tell. */
import type { LegConfig, NoticeConfig } from './endpoint.ts';

const STATUS = { part: 'status' } as const;
const HEARD = { at: STATUS, is: 'atLeast', value: 200 } as const;

/** Heard where the buyer answers with a code from 200 to 299, with a body or without one. */
export const noticeLeg = (notice: NoticeConfig): LegConfig => ({
  ...notice,
  response: {
    outcomes: [
      { outcome: 'error', when: [{ at: STATUS, is: 'atLeast', value: 300 }] },
      { outcome: 'accepted', when: [HEARD, { at: { part: 'body' }, is: 'absent' }] },
      { outcome: 'accepted', when: [HEARD] },
    ],
  },
});

/** Whether any part of it sends what the winner paid. */
export const tellsWinningPrice = (part: unknown): boolean =>
  /"kind":"system","name":"winningPrice"|\{\{\s*system\.winningPrice\b/.test(JSON.stringify(part ?? null));
