import { describe, expect, it } from 'vitest';
import { readChangeLogSearch } from './change-log/change-log-search.ts';
import { readHomeSearch } from './home/home-search.ts';
import { readLeadsSearch } from './lead/leads-search.ts';
import { onlyMeant } from './only-meant.ts';
import { readInnerLists, readListSearch } from './set-up/list-search.ts';
import { readFormSearch } from './set-up/set-up-routes.ts';

const NONSENSE = {
  status: 'zzz',
  period: 'foo',
  page: '-5',
  sort: '; drop',
  like: 'zzz',
  region: 'zzz',
  health: 'x',
  limit: '1e9',
  of: 'me',
  other: '1',
  'tiers.page': 'x',
};
const readers = { readListSearch, readLeadsSearch, readChangeLogSearch, readHomeSearch, readFormSearch, readInnerLists };

describe('console §2: what an address cannot mean falls away', () => {
  it.each(Object.entries(readers))('%s answers every name of it, each without a value', (_name, read) => {
    const found = onlyMeant<object>(read)(NONSENSE);
    expect(Object.keys(found)).toEqual(expect.arrayContaining(Object.keys(NONSENSE)));
    expect(Object.values(found).filter((value) => value !== undefined)).toEqual([]);
  });

  it('what is meant stays', () => {
    expect(onlyMeant(readListSearch)({ page: '2', status: 'paused', other: 1 })).toEqual({ page: 2, status: 'paused' });
  });
});
