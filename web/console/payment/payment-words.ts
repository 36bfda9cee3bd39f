import type { PaymentResult } from '#contract/payment.ts';

export const RESULT_WORDS: Record<PaymentResult, { label: string; tone: 'good' | 'bad' | 'warn' | 'info' }> = {
  approved: { label: 'Approved', tone: 'good' },
  declined: { label: 'Declined', tone: 'bad' },
  refunded: { label: 'Refunded', tone: 'warn' },
  chargeback: { label: 'Chargeback', tone: 'bad' },
};
