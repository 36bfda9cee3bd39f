import { expect, test } from 'vitest';
import type { LeadView } from '#contract/lead.ts';
import { publisherAnswer } from './publisher-answer.ts';

test('a publisher learns its own mistakes and nothing of the buyers', () => {
  const text = publisherAnswer(
    {
      _id: 'L1',
      receivedAt: '2026-11-27T18:05:09Z',
      status: 'unsold',
      reasonLabel: 'Buyer(s) Declined',
      publisherTierName: 'Main',
      subId: 'fb-1',
      errors: [{ field: 'email', message: 'is not valid' }],
      why: 'Lendora declined',
      buyers: [{ buyerName: 'Lendora', buyerTierName: 'Lendora exclusive' }],
      revenue: '40.00',
      payout: '0.00',
      duplicateOfLeadId: null,
    } as unknown as LeadView,
    'UTC',
  );
  expect(text).toContain('Outcome: Unsold (Buyer(s) Declined)');
  expect(text).toContain('Field email: is not valid');
  expect(text).not.toMatch(/Lendora|40\.00/);
});
