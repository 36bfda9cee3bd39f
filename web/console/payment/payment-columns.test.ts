import { expect, test } from 'vitest';
import { pageColumns } from '../landing-page/page-columns.tsx';
import { toReportQuery } from '../report/report-search.ts';
import { fromView, PAYMENT_ADDRESS, REPORT_ADDRESS, toViewSearch } from '../report/view-search.ts';
import { paymentColumns } from './payment-columns.tsx';
import { PAYMENT_FILTERS } from './payment-filters.ts';

test('console §3: every figure of pages and payments has what it was before and how far it moved, out of sight until chosen', () => {
  for (const columns of [pageColumns, paymentColumns]) {
    const figures = columns.filter(({ id }) => !/(Before|Change)$/.test(id));
    expect(columns.map(({ id }) => id)).toEqual(figures.flatMap(({ id }) => [id, `${id}Before`, `${id}Change`]));
    expect(columns.filter(({ id, isExtra }) => /(Before|Change)$/.test(id) && !isExtra)).toEqual([]);
  }
});

test('console §3: what moved is how much more it is, of rates in parts of one; without a rate there is none', () => {
  const now = { attempts: 4, approved: 3, declined: 1, refunds: 0, chargebacks: 0 };
  const money = { approvedAmount: '10.5000', refundedAmount: '0.00', chargedBackAmount: '0.00' };
  const none = { attempts: 0, approved: 0, declined: 0, refunds: 0, chargebacks: 0, ...money, approvedAmount: '12.00' };
  const figureOf = (id: string, before = none) => paymentColumns.find((one) => one.id === id)?.value({ ...now, ...money }, before);
  expect([figureOf('attemptsChange'), figureOf('approvedAmountChange'), figureOf('approvedAmountBefore')]).toEqual([4, -1.5, 12]);
  expect([figureOf('rateChange'), figureOf('rateChange', { ...none, attempts: 2, approved: 1 })]).toEqual([null, 0.25]);
});

test('console §3: all columns at once fit into an address and a view', () => {
  for (const columns of [pageColumns, paymentColumns]) {
    const search = { columns: columns.map(({ id }) => id).join(',') };
    expect([PAYMENT_ADDRESS.read(search), REPORT_ADDRESS.read(search)]).toEqual([search, search]);
  }
});

test('console §3: payments of none stay in the address, in a view and in what is asked; of other reports there is nothing to narrow', () => {
  const none = { campaignId: '', publisherId: '', publisherTierId: '', buyerId: '', buyerTierId: '', bin: '', reason: '' };
  const raw = { ...none, processorId: '', q: '', by: '' };
  expect([PAYMENT_ADDRESS.read(raw), REPORT_ADDRESS.read(raw)]).toEqual([none, {}]);
  expect(PAYMENT_ADDRESS.read({ bin: '457173', reason: 7 })).toEqual({ bin: '457173', reason: '7' });
  const kept = toViewSearch(PAYMENT_ADDRESS, { ...none, period: 'today' }, undefined);
  expect(fromView(PAYMENT_ADDRESS, 'v', kept)).toEqual({ ...none, period: 'today', view: 'v' });
  const place = { region: 'us', vertical: 'payday' };
  const asked = toReportQuery(place, { ...none, period: 'today' }, { filters: PAYMENT_FILTERS }, 'UTC', Date.parse('2026-11-27T12:00:00Z'));
  expect(asked).toMatchObject(none);
});
