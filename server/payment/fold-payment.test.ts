import { expect, it } from 'vitest';
import { foldPayment as fold, isSame, NO_REASON, type Reported } from './fold-payment.ts';

const foldPayment = (reports: Reported[], known = 'USD') => fold(reports, known);

const said = (result: Reported['result'], at: number, amount?: number, reason = ''): Reported => ({
  ...{ result, amount, currency: undefined, reason, happenedAt: at, receivedAt: 1_000 },
});

it('one report is the payment', () => {
  expect(foldPayment([said('approved', 5, 200)])).toEqual({
    ...{ result: 'approved', attemptedAt: 5, amount: 200, currency: 'USD', refunded: undefined, chargedBack: undefined, reason: '' },
  });
  expect(foldPayment([said('declined', 5, 200, 'Expired')])).toMatchObject({ result: 'declined', reason: 'Expired', amount: 200 });
  expect(foldPayment([said('declined', 5)])).toMatchObject({ reason: NO_REASON, amount: 0 });
});

it('the order is that of the times, however they came', () => {
  const [approved, refunded] = [said('approved', 5, 200), said('refunded', 9, 50)];
  expect(foldPayment([refunded, approved])).toEqual(foldPayment([approved, refunded]));
  expect(foldPayment([refunded, approved])).toMatchObject({ result: 'refunded', attemptedAt: 5, amount: 200, refunded: 50 });
});

it('without a time they are in the order in which they came', () => {
  const one = (result: Reported['result'], receivedAt: number) => ({ ...said(result, 0), happenedAt: undefined, receivedAt });
  expect(foldPayment([one('declined', 1), one('approved', 2)]).result).toBe('approved');
  expect(foldPayment([one('approved', 1), one('declined', 1)]).result).toBe('declined');
});

it('a later approval or decline corrects the one before, and the attempt stays when it was', () => {
  expect(foldPayment([said('approved', 5, 200), said('declined', 9, undefined, 'Fraud')])).toEqual({
    ...{ result: 'declined', attemptedAt: 5, amount: 200, currency: 'USD', refunded: undefined, chargedBack: undefined, reason: 'Fraud' },
  });
});

it('a chargeback that was won is none, and a refund without an amount is of all', () => {
  expect(foldPayment([said('approved', 1, 200), said('chargeback', 2), said('approved', 3)])).toMatchObject({
    ...{ result: 'approved', amount: 200, chargedBack: undefined },
  });
  expect(foldPayment([said('approved', 1, 200), said('refunded', 2)])).toMatchObject({ refunded: 200 });
});

it('refunds are told in all, and a chargeback after one leaves it', () => {
  expect(
    foldPayment([said('approved', 1, 200), said('refunded', 2, 50), said('refunded', 3, 80), said('chargeback', 4, 120)]),
  ).toMatchObject({
    ...{ result: 'chargeback', amount: 200, refunded: 80, chargedBack: 120 },
  });
});

it('a refund of which no approval was heard implies one', () => {
  expect(foldPayment([said('refunded', 7, 50)])).toEqual({
    ...{ result: 'refunded', attemptedAt: 7, amount: 50, currency: 'USD', refunded: 50, chargedBack: undefined, reason: '' },
  });
});

it('the same is said again only with the same time, or none', () => {
  const none = { ...said('approved', 0, 5), happenedAt: undefined };
  expect(isSame(none, { ...none, receivedAt: 99 })).toBe(true);
  expect(isSame(none, said('approved', 5, 5))).toBe(false);
  expect(isSame(said('approved', 5, 5), said('approved', 5, 6))).toBe(false);
});

it('the currency is that of the attempt that stands, by its time, and no refund changes it', () => {
  const [euros, dollars] = [
    { ...said('approved', 9, 500), currency: 'EUR' },
    { ...said('declined', 5, 500), currency: 'USD' },
  ];
  for (const order of [
    [euros, dollars],
    [dollars, euros],
  ])
    expect(foldPayment(order)).toMatchObject({ result: 'approved', amount: 500, currency: 'EUR' });
  // Amounts of two currencies are no sum: all of it went back.
  const back = { ...said('refunded', 12, 1), currency: 'USD' };
  expect(foldPayment([euros, back])).toMatchObject({ amount: 500, refunded: 500, currency: 'EUR' });
  expect(foldPayment([euros, { ...back, currency: 'EUR' }])).toMatchObject({ refunded: 1, currency: 'EUR' });
  expect(foldPayment([euros, { ...back, currency: undefined }])).toMatchObject({ refunded: 1, currency: 'EUR' });
  expect(foldPayment([back])).toMatchObject({ amount: 1, refunded: 1, currency: 'USD' });
});
