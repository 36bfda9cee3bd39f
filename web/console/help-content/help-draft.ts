/** A form of one entry: what is typed, and what is sent of it. */
import { type HelpEntryView, type HelpText, helpText } from '#contract/help.ts';
import type { HelpKind } from '#contract/help-kind.ts';
import { capital } from '../message.ts';
import { textsOf } from './help-words.ts';

export interface HelpDraft {
  kind: HelpKind;
  key: string;
  /** Between commas, as words are. */
  tags: string;
  /** The question, the title, the words of a term between commas; nothing of a prompt. */
  head: string;
  text: string;
}

export const newDraft: HelpDraft = { kind: 'question', key: '', tags: '', head: '', text: '' };

export function draftOf(entry: Pick<HelpEntryView, 'kind' | 'key' | 'tags' | 'body'>): HelpDraft {
  const texts = textsOf(entry);
  const [head, text] = entry.kind === 'prompt' ? ['', texts[0]!] : [texts[0]!, texts[1]!];
  return { kind: entry.kind, key: entry.key, tags: entry.tags.join(', '), head, text };
}

const partsOf = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);

function bodyOf({ kind, head, text }: HelpDraft): Record<string, unknown> {
  switch (kind) {
    case 'prompt':
      return { text };
    case 'term':
      return { words: partsOf(head), definition: text };
    case 'question':
      return { question: head, answer: text };
    case 'article':
      return { title: head, text };
  }
}

/** What is sent, or what is wrong, by the field of the form. */
export function readDraft(draft: HelpDraft): { entry: HelpText | undefined; errors: Partial<Record<keyof HelpDraft, string>> } {
  const { kind, key, tags } = draft;
  const read = helpText.safeParse({ kind, key: key.trim(), tags: partsOf(tags), body: bodyOf(draft) });
  if (read.success) return { entry: read.data, errors: {} };
  const errors: Partial<Record<keyof HelpDraft, string>> = {};
  for (const { path, message } of read.error.issues) errors[fieldOf(path)] ??= `${capital(message)}.`;
  return { entry: undefined, errors };
}

const HEADS = ['words', 'question', 'title'];

function fieldOf([first, second]: readonly PropertyKey[]): keyof HelpDraft {
  if (first !== 'body') return first === 'key' || first === 'kind' ? first : 'tags';
  return HEADS.includes(String(second)) ? 'head' : 'text';
}
