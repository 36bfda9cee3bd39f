/** What jobs are called on pages and in files, without their schemas: pages know it before any of them is loaded. */
import type { ImportMode } from './import.ts';
import type { JobStatus } from './job.ts';

export const JOB_STATUS_WORDS: Readonly<Record<JobStatus, string>> = {
  receiving: 'Being sent',
  waiting: 'Waiting',
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

export const IMPORT_MODE_WORDS: Readonly<Record<ImportMode, string>> = { add: 'Add', replace: 'Replace', remove: 'Remove' };

const TALLY: Readonly<Record<string, string>> = {
  exported: 'In the file',
  files: 'Exported files, deleted',
  added: 'Added',
  known: 'Known already',
  removed: 'Removed',
  unknown: 'Were not there',
  leads: 'Leads',
  calls: 'Calls answered again or asked',
  checks: 'Questions to services',
  lateAnswers: 'Late answers',
  notices: 'Loss notices',
  links: 'Links of consumers',
  refusedCalls: 'Refused calls',
  samples: 'Sample leads',
  underWay: 'Still under way, not erased',
  erasedBefore: 'Erased before',
  unreadable: 'Damaged, erased unread',
  unsearched: 'Damaged, could not be searched',
  unmatched: 'Without a value to know anybody by',
};
export const tallyWord = (word: string): string => TALLY[word] ?? word;

/** 'Added 1,204, known already 7'. */
export const sayTally = (tally: Record<string, number>, formatCount: (count: number) => string): string =>
  Object.entries(tally)
    .map(([word, count], index) => `${index === 0 ? tallyWord(word) : tallyWord(word).toLowerCase()} ${formatCount(count)}`)
    .join(', ');
