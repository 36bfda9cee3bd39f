/** The logs in plain speech. */
import type { CallEnd, CallKind } from '#contract/log.ts';
import { statusWord, type Word } from '../lead/lead-words.ts';

export const callEndWord: Record<CallEnd, Word> = {
  ...statusWord,
  refused: { label: 'Refused', tone: 'bad', meaning: 'The call made no lead: something about it was not right.' },
  replayed: { label: 'Answered again', tone: 'violet', meaning: 'The same call came before, and got the same answer again.' },
  asked: { label: 'Asked after', tone: 'muted', meaning: 'The publisher asked what became of a lead.' },
};

export const callKindWord: Record<CallKind, string> = { full: 'full post', ping: 'ping', post: 'post after ping', status: 'status' };
