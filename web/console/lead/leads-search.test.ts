import { describe, expect, test } from 'vitest';
import { readChangeLogSearch } from '../change-log/change-log-search.ts';
import { readAttemptLogSearch } from '../log/log-search.ts';
import { readPortalSearch } from '../portal/portal-search.ts';
import { readReportSearch } from '../report/report-search.ts';
import { readSecurityLogSearch } from '../security-log/security-log-search.ts';
import { hasFilter, LEADS_ADDRESS, readLeadsSearch, toLeadsQuery, withFilter } from './leads-search.ts';

const place = { region: 'us', vertical: 'payday' };
const now = Date.parse('2026-11-27T12:00:00Z');

describe('the address of the list', () => {
  test('a value that cannot be meant falls away', () => {
    expect(readLeadsSearch({ status: 'eaten', period: 'someday', limit: '7', test: 'maybe', q: ' ' })).toEqual({});
  });
  test('a custom range needs both ends', () => {
    expect(readLeadsSearch({ period: 'customRange', from: '2026-11-01T00:00' })).toEqual({});
    expect(readLeadsSearch({ period: 'today', from: '2026-11-01T00:00', to: '2026-11-02T00:00' })).toEqual({ period: 'today' });
  });
  test.each(['2026-99-99T99:99', '2026-13-01T00:00', '2026-01-32T00:00', '2026-02-31T00:00', '2026-01-01T24:01', 'today', 7])(
    'account §5: %s is no minute, in no address that has a range',
    (from) => {
      const raw = { period: 'customRange', from, to: '2026-11-02T00:00' };
      for (const read of [
        readLeadsSearch,
        readReportSearch,
        readAttemptLogSearch,
        readPortalSearch,
        readChangeLogSearch,
        readSecurityLogSearch,
      ])
        expect(read(raw)).not.toHaveProperty('from');
    },
  );
  test('the columns in sight stand in the address and are no filter', () => {
    const search = readLeadsSearch({ columns: 'status,margin' });
    expect([search, hasFilter(search)]).toEqual([{ columns: 'status,margin' }, false]);
    expect(toLeadsQuery(place, search, 'UTC', now).has('columns')).toBe(false);
    expect(LEADS_ADDRESS.whole(search)).toEqual(search);
  });
  test('a variant stays, and so does the wish for none', () => {
    expect(readLeadsSearch({ variantId: 'v' })).toEqual({ variantId: 'v' });
    expect(readLeadsSearch({ variantId: '' })).toEqual({ variantId: '' });
    expect([hasFilter({ variantId: '' }), readLeadsSearch({ variantId: 7 })]).toEqual([true, {}]);
  });
  test('a reason stays, and so does the wish for none; a filter reason is a key of the specification', () => {
    expect(readLeadsSearch({ reason: '', filterReason: '7' })).toEqual({ reason: '', filterReason: '7' });
    expect(readLeadsSearch({ reason: 7, filterReason: '13' })).toEqual({});
    expect(readLeadsSearch({ filterReason: 7 })).toEqual({ filterReason: '7' });
  });
  test('of prices there is another than bid to ask for, and nothing else', () => {
    expect(readLeadsSearch({ otherPrice: 'true' })).toEqual({ otherPrice: 'true' });
    expect([readLeadsSearch({ otherPrice: 'false' }), hasFilter({ otherPrice: 'true' })]).toEqual([{}, true]);
  });
  test('the usual page size is not written', () => {
    expect(readLeadsSearch({ limit: '50' })).toEqual({});
    expect(readLeadsSearch({ limit: '100' })).toEqual({ limit: 100 });
  });
});

describe('the call', () => {
  test('turns a preset into instants of the reporting zone', () => {
    const query = toLeadsQuery(place, { period: 'today', status: 'sold' }, 'America/New_York', now);
    expect(Object.fromEntries(query)).toEqual({
      ...place,
      status: 'sold',
      from: '2026-11-27T05:00:00.000Z',
      to: '2026-11-28T05:00:00.000Z',
      limit: '50',
    });
  });
  test('asks for all of time when no period is chosen', () => {
    expect([...toLeadsQuery(place, {}, 'UTC', now).keys()]).toEqual(['region', 'vertical', 'limit']);
  });
});

test('a changed filter starts again at the newest lead', () => {
  expect(withFilter({ status: 'sold', before: 'x', limit: 100 }, { status: undefined, reason: 'r' })).toEqual({ limit: 100, reason: 'r' });
});
test('page and page size are no filters', () => {
  expect(hasFilter({ before: 'x', limit: 25 })).toBe(false);
  expect(hasFilter({ q: 'x' })).toBe(true);
});
