import type { HelpBody, HelpEntryView } from '#contract/help.ts';
import type { HelpKind } from '#contract/help-kind.ts';
import type { HelpEntryState } from './help-search.ts';

export const kindWords: Record<HelpKind, string> = { prompt: 'Prompt', term: 'Term', question: 'Question', article: 'Article' };

/** What each kind is for. */
export const kindMeans: Record<HelpKind, string> = {
  prompt: 'A few sentences in the popover of the trigger with this key. Its tags are what “more info” opens.',
  term: 'A word of the trade with what it means, in the glossary.',
  question: 'What somebody may ask, with its answer, among the questions.',
  article: 'A longer text of the knowledge base, among the questions too.',
};

export const stateWords: Record<HelpEntryState, string> = {
  product: 'As it comes with Sluice',
  changed: 'Changed here',
  added: 'Added here',
  removed: 'Removed',
};

/** All texts of an entry, the first one what it is called by. */
export function textsOf({ kind, body }: Pick<HelpEntryView, 'kind' | 'body'>): string[] {
  switch (kind) {
    case 'prompt':
      return [(body as HelpBody<'prompt'>).text];
    case 'term':
      return [(body as HelpBody<'term'>).words.join(', '), (body as HelpBody<'term'>).definition];
    case 'question':
      return [(body as HelpBody<'question'>).question, (body as HelpBody<'question'>).answer];
    case 'article':
      return [(body as HelpBody<'article'>).title, (body as HelpBody<'article'>).text];
  }
}

export const sayEntry = (entry: Pick<HelpEntryView, 'kind' | 'body'>): string => textsOf(entry).join(' ');
