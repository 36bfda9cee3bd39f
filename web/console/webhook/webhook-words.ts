/** How the calls of a webhook look. */
import { CALL_STATE_WORDS } from '#contract/webhook-words.ts';

export const STATES = {
  due: { label: CALL_STATE_WORDS.due, tone: 'warn' },
  told: { label: CALL_STATE_WORDS.told, tone: 'good' },
  failed: { label: CALL_STATE_WORDS.failed, tone: 'bad' },
} as const;
