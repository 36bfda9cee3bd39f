import { describe, expect, it } from 'vitest';
import type { HelpEntryView } from '#contract/help.ts';
import { findEntries } from './find-entries.ts';
import { draftOf, newDraft, readDraft } from './help-draft.ts';
import { readHelpSearch } from './help-search.ts';

const entry = (more: Partial<HelpEntryView>): HelpEntryView => ({
  kind: 'term',
  key: 'ping-tree',
  tags: ['flow-control'],
  body: { words: ['Ping tree', 'Tree'], definition: 'In which order buyers are asked.' },
  version: 1,
  isRemoved: false,
  origin: 'product',
  changedAt: '2026-11-28T00:00:00Z',
  changedBy: 'Sluice',
  ...more,
});

describe('a form of the help', () => {
  it('gives back what it was filled with, whatever the kind', () => {
    const bodies = {
      prompt: { text: 'A text.' },
      term: { words: ['One', 'Two'], definition: 'Means.' },
      question: { question: 'Is it?', answer: 'It is.' },
      article: { title: 'On it', text: 'One.\n\nTwo.' },
    } as const;
    for (const [kind, body] of Object.entries(bodies)) {
      const read = readDraft(draftOf(entry({ kind: kind as HelpEntryView['kind'], body })));
      expect(read).toEqual({ entry: { kind, key: 'ping-tree', tags: ['flow-control'], body }, errors: {} });
    }
  });

  it('says at each field what is wrong with it', () => {
    const { entry: none, errors } = readDraft({
      ...newDraft,
      key: 'No Capitals',
      tags: Array.from({ length: 21 }, (_, at) => `t${at}`).join(),
    });
    expect([none, Object.keys(errors).sort()]).toEqual([undefined, ['head', 'key', 'tags', 'text']]);
    expect(readDraft({ ...newDraft, kind: 'term', key: 'k', head: ' , ', text: 'Means.' }).errors).toEqual({ head: 'Needs a word.' });
  });
});

describe('the list of the help', () => {
  const entries = [
    entry({}),
    entry({ key: 'gone', isRemoved: true }),
    entry({ key: 'ours', origin: 'added', kind: 'prompt', body: { text: 'Of ours.' } }),
  ];
  const keys = (search: Parameters<typeof findEntries>[1]) => findEntries(entries, search).map(({ key }) => key);

  it('is searched by all words of all texts, keys and tags; what is removed is there for who asks', () => {
    expect(keys({})).toEqual(['ping-tree', 'ours']);
    expect([keys({ q: 'ORDER buyers' }), keys({ q: 'flow-control ours' }), keys({ q: 'nothing' })]).toEqual([['ping-tree'], ['ours'], []]);
    expect([keys({ state: 'removed' }), keys({ state: 'added' }), keys({ kind: 'term' })]).toEqual([['gone'], ['ours'], ['ping-tree']]);
  });

  it('reads of an address only what can be meant', () => {
    expect(readHelpSearch({ q: ' ', kind: 'poem', state: 'x', page: '-1' })).toEqual({});
    expect(readHelpSearch({ q: 'a', kind: 'term', state: 'added', page: '2' })).toEqual({ q: 'a', kind: 'term', state: 'added', page: 2 });
  });
});
