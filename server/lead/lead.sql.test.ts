/** What a batch is written with: leads that asked no service, and were given no link, pay nothing for those that did. */
import { expect, it } from 'vitest';
import { type Batch, type CheckRow, type RedirectRow, type ResultRow, type SaleRow, writeStatement } from './lead.sql.ts';

const result = (checks: CheckRow[], redirect?: RedirectRow): ResultRow => ({
  ...{ leadId: 'l', verticalId: 'v', campaignId: 'c', publisherId: 'p', publisherTierId: 't', test: false, status: 'unsold', reason: null },
  ...{ revenue: '0', payout: '0', margin: '0', duplicateOf: null, elapsedMs: 1, buyersMs: 0, storeMs: 0, finishedAt: 0, verdicts: [] },
  ...{ explained: Buffer.from('explained'), wires: undefined, attempts: [], checks, turns: [], unknown: [], references: [], redirect },
  sales: redirect ? [sale] : [],
  ...{ promoted: [], variant: null, pageId: null, notices: [], webhooks: [] },
});
const sale: SaleRow = {
  ...{ buyerId: 'b', buyerTierId: 'bt', revenue: '1', payout: '1', margin: '0', bid: null, postPriceDiffers: false, buyerRef: null },
};
const link: RedirectRow = { saleIndex: 0, givenAt: 0, expiresAt: 1, url: Buffer.from('sealed url') };
const check: CheckRow = {
  ...{ index: 0, serviceId: 's', purpose: 'p2c', subjectId: 't', outcome: 'passed', startedAt: 0, elapsedMs: 1 },
  ...{ connectMs: null, waitMs: 1, readMs: 0, statusCode: 200, wire: Buffer.from('wire') },
};
const batch = (results: ResultRow[]): Batch => ({ organizationId: 'o', nodeId: 'n', now: 0, leads: [], ops: [], intents: [], results });

it('without a question to a service the statement has no part for it, and no parameter more', () => {
  const without = writeStatement(batch([result([]), result([])]), false);
  expect([without.name, without.text.startsWith('select * from write_batch(')]).toEqual(['write_batch', true]);
  expect(without.text).toContain(`$${without.values.length})`);
  expect(without.text).not.toContain('service_call');
});

it('with one it is a statement of its own, the same before and after it', () => {
  const without = writeStatement(batch([result([])]), false);
  const withOne = writeStatement(batch([result([]), result([check])]), false);
  expect(withOne.name).not.toBe(without.name);
  expect(withOne.text.endsWith(without.text)).toBe(true);
  expect(withOne.values.length).toBeGreaterThan(without.values.length);
  // The conversation stands behind what the results sealed, and is found there.
  const [at, length] = withOne.values.slice(-2).map((list) => Number(String(list).slice(1, -1)));
  expect((withOne.values[4] as Buffer).subarray(at! - 1, at! - 1 + length!).toString()).toBe('wire');
  expect(writeStatement(batch([result([])]), false)).toEqual(without);
});

it('promotions and variants come in the same statement, each only where there is one', () => {
  const promoted = { ...result([]), promoted: [{ saleIndex: 0, promotionId: 'p', extra: '1.50' }] };
  const varied = { ...result([check]), variant: { testId: 't', variantId: 'v', consumer: 'c' } };
  const one = writeStatement(batch([promoted]), false);
  const all = writeStatement(batch([promoted, varied]), false);
  expect([one.name, all.name]).toEqual(['write_batch_and_promotions', 'write_batch_and_calls_promotions_variants']);
  expect(one.values.slice(-4)).toEqual(['{l}', '{0}', '{p}', '{1.50}']);
  expect(all.values.slice(-4)).toEqual(['{l}', '{t}', '{v}', '{c}']);
  for (const { text, values } of [one, all]) expect(text).toContain(`$${values.length}::`);
});

it('questions and links stand in one statement, each behind the one before it, and a statement has one name and one text', () => {
  const at = (values: unknown[], from: number) => {
    const [place, length] = values.slice(from, from + 2).map((list) => Number(String(list).slice(1, -1)));
    return (values[4] as Buffer).subarray(place! - 1, place! - 1 + length!).toString();
  };
  const both = writeStatement(batch([result([check]), result([], link)]), false);
  expect(at(both.values, both.values.length - 2)).toBe('sealed url');
  expect(at(both.values, both.values.length - 2 - 11)).toBe('wire');
  expect(Math.max(...[...both.text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)))).toBe(both.values.length);
  const links = writeStatement(batch([result([], link)]), false);
  expect(at(links.values, links.values.length - 2)).toBe('sealed url');
  expect(links.text).not.toContain('service_call');
  expect(new Set([both, links, writeStatement(batch([result([check])]), false)].map(({ name }) => name)).size).toBe(3);
  expect(writeStatement(batch([result([], link), result([], link)]), false).text).toBe(links.text);
});
