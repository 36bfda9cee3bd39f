import type {
  AttemptOutcomeWord,
  AttemptView,
  CheckOutcomeWord,
  CheckView,
  LeadStatusWord,
  OutcomeWord,
  VerdictView,
} from '#contract/lead.ts';
import { CALL_OUTCOME_WORDS } from '#contract/outcome-words.ts';

export type Tone = 'good' | 'bad' | 'warn' | 'info' | 'violet' | 'muted';
export interface Word {
  label: string;
  tone: Tone;
  /** One sentence for people who meet the word first. */
  meaning: string;
}

/** A record and not a list: a status that the contract adds is a compile error here. */
export const statusWord: Record<LeadStatusWord, Word> = {
  received: { label: 'Received', tone: 'info', meaning: 'The lead has arrived and is being offered to buyers.' },
  sold: { label: 'Sold', tone: 'good', meaning: 'A buyer took the lead.' },
  unsold: { label: 'Unsold', tone: 'warn', meaning: 'No buyer that could be asked took it.' },
  invalid: { label: 'Invalid', tone: 'bad', meaning: 'A field was missing or wrong, so no buyer was asked.' },
  rejected: { label: 'Rejected', tone: 'bad', meaning: 'A rule of the publisher tier refused the lead before any buyer was asked.' },
  duplicate: { label: 'Duplicate', tone: 'violet', meaning: 'The same consumer came earlier, inside the duplicate window.' },
  held: { label: 'Held', tone: 'info', meaning: 'The lead waits for a decision and can still be sold.' },
  error: { label: 'Error', tone: 'bad', meaning: 'Something failed on our side.' },
  bid: { label: 'Bid', tone: 'good', meaning: 'A ping was answered with a price; the post has not come.' },
  noBid: { label: 'No bid', tone: 'muted', meaning: 'A ping to which no buyer gave a price.' },
};
export const statuses = Object.keys(statusWord) as LeadStatusWord[];
export const isStatus = (text: unknown): text is LeadStatusWord => typeof text === 'string' && Object.hasOwn(statusWord, text);

export const outcomeWord: Record<OutcomeWord, Word> = {
  sold: { label: CALL_OUTCOME_WORDS.sold, tone: 'good', meaning: 'The buyer took the lead.' },
  rejected: { label: CALL_OUTCOME_WORDS.rejected, tone: 'bad', meaning: 'The buyer was asked and said no.' },
  terrors: { label: CALL_OUTCOME_WORDS.terrors, tone: 'bad', meaning: 'The buyer answered with something that is not an answer.' },
  timeouts: { label: CALL_OUTCOME_WORDS.timeouts, tone: 'warn', meaning: 'No answer inside the time limit.' },
  filtered: {
    label: CALL_OUTCOME_WORDS.filtered,
    tone: 'violet',
    meaning: 'Our own rules kept the lead from this buyer; it was not asked.',
  },
  notReached: { label: 'Not reached', tone: 'muted', meaning: 'The lead was sold, or time ran out, before this buyer’s turn.' },
};

const groupModes: Record<string, string> = {
  priority: 'in order of priority',
  highestPrice: 'highest price first',
  auction: 'auction',
  roundRobin: 'in turn',
  weighted: 'by weight',
};
/** The server's word for a group's mode, in plain speech; an unknown word is shown as it is. */
export const groupModeWord = (mode: string): string =>
  groupModes[mode] ?? groupModes[mode.replace(/[-_ ](\w)/g, (_, letter: string) => letter.toUpperCase())] ?? mode;

/** An attempt can also end in a bid: the ping of a buyer that was not, or not yet, the best. */
export const attemptWord: Record<AttemptOutcomeWord, Word> = {
  ...outcomeWord,
  bid: { label: CALL_OUTCOME_WORDS.bid, tone: 'info', meaning: 'The buyer answered the ping with a price.' },
  told: { label: 'Told', tone: 'muted', meaning: 'The buyer has heard that another one bought the lead.' },
  untold: { label: 'Not told', tone: 'warn', meaning: 'The buyer did not take the notice that it lost. Nothing hangs on it.' },
  due: { label: 'To be told', tone: 'info', meaning: 'The notice is on its way.' },
  dropped: { label: 'Not sent', tone: 'muted', meaning: 'The notice was never sent: too many at once, or our node stopped before.' },
};
/** A buyer that said nothing is no buyer that answered with an error. */
const noAnswer: Word = {
  label: `${CALL_OUTCOME_WORDS.terrors}, no answer`,
  tone: 'bad',
  meaning: 'The buyer could not be reached, or the connection broke before it answered.',
};
interface Ended<Outcome> {
  outcome: Outcome;
  isAnswered: boolean;
}
export const wordOfVerdict = ({ outcome, isAnswered }: Ended<OutcomeWord>): Word =>
  outcome === 'terrors' && !isAnswered ? noAnswer : outcomeWord[outcome];
export const wordOfAttempt = ({ outcome, isAnswered }: Ended<AttemptOutcomeWord>): Word =>
  outcome === 'terrors' && !isAnswered ? noAnswer : attemptWord[outcome];
/** What a call was for. */
export const legWord: Record<AttemptView['leg'], string> = { ping: 'ping', post: 'post', lost: 'loss notice' };
/** Calls that the lead waited for. */
export const duringLead = (attempts: readonly AttemptView[]): AttemptView[] => attempts.filter(({ leg }) => leg !== 'lost');

/** What a third-party service made of the lead. */
export const checkWord: Record<CheckOutcomeWord, Word> = {
  passed: { label: 'Passed', tone: 'good', meaning: 'The service has nothing against the lead.' },
  refused: { label: 'Refused', tone: 'bad', meaning: 'The service said no.' },
  error: { label: 'Error', tone: 'warn', meaning: 'The service failed; the tier’s rule for failures decided.' },
  timeout: { label: 'Timed out', tone: 'warn', meaning: 'No answer inside the time limit; the tier’s rule for failures decided.' },
};
export const checkPurpose = ({ buyerTierName }: Pick<CheckView, 'buyerTierName'>): string =>
  buyerTierName === null ? 'P2C' : `for ${buyerTierName}`;

/** Console §9: 1, 2, 3 and 5 caps, 4 pause date, 6 operation hours, 7 filter, 8 duplicate; 9 to 12 are ours. */
const filterReasons: Record<number, string> = {
  1: 'Daily cap',
  2: 'Weekly cap',
  3: 'Monthly cap',
  4: 'Pause date',
  5: 'Overall cap',
  6: 'Operation hours',
  7: 'Filter',
  8: 'Duplicate',
  9: 'Breaker',
  10: 'Balance',
  11: 'Asked to wait',
  12: 'Throttle',
};
/** Key 1 stands for hourly and daily caps alike; the verdict knows which. */
export function filterReasonWord({ filterReasonKey, capPeriod }: Pick<VerdictView, 'filterReasonKey' | 'capPeriod'>): string | null {
  if (capPeriod === 'hour') return 'Hourly cap';
  return filterReasonKey === null ? null : (filterReasons[filterReasonKey] ?? null);
}
