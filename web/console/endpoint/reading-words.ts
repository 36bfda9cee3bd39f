/** What an answer is read as, in words and colours. */
export const OUTCOME_TONE: Record<string, string> = {
  accepted: 'good',
  rejected: 'bad',
  duplicate: 'violet',
  pending: 'info',
  error: 'bad',
};
export const OUTCOME_WORD: Record<string, string> = {
  accepted: 'Accepted',
  rejected: 'Declined',
  duplicate: 'Duplicate',
  pending: 'Pending',
  error: 'Error',
  timeout: 'Timed out',
};
