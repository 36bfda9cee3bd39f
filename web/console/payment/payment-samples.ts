/** What a processor is given to begin with: its calls, ready to be copied. */

export interface PaymentSample {
  name: string;
  says: string;
  text: string;
}

export const paymentSamples = (href: string): PaymentSample[] => [
  {
    name: 'As an address with placeholders',
    says: 'For processors that fill in a postback address themselves. Put their names of the values between the braces.',
    text: `${href}?transactionId={transaction_id}&result={status}&amount={amount}&bin={bin}&reason={decline_reason}&leadId={lead_id}`,
  },
  {
    name: 'One payment, as JSON',
    says: 'Only transactionId and result are needed. leadId is our id of the lead, the buyer’s, or any value that leads are found by.',
    text: `curl ${href} \\
  -H 'content-type: application/json' \\
  -d '{"transactionId":"T-1001","result":"approved","amount":"49.90","currency":"USD","bin":"457173","leadId":"…","at":"${AT}"}'`,
  },
  {
    name: 'A refund or chargeback, later',
    says: 'With the same transactionId: it corrects the payment and is no second one. Amounts are told in all, not what is added.',
    text: `curl ${href} \\
  -H 'content-type: application/json' \\
  -d '{"transactionId":"T-1001","result":"refunded","amount":"49.90","reason":"Customer cancelled"}'`,
  },
  {
    name: 'Many at once',
    says: 'Up to 200. Each is answered by itself, so that one that cannot be read keeps no other back.',
    text: `curl ${href} \\
  -H 'content-type: application/json' \\
  -d '{"payments":[{"transactionId":"T-1002","result":"declined","reason":"Insufficient funds"},{"transactionId":"T-1003","result":"approved"}]}'`,
  },
];

const AT = '2026-11-27T14:05:00Z';
