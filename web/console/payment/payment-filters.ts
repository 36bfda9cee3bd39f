/** What payments are narrowed by, on the report and in the list behind it. */
export const PAYMENT_FILTERS = [
  ...(['processorId', 'move', 'bin', 'reason', 'campaignId', 'publisherId', 'publisherTierId', 'buyerId', 'buyerTierId'] as const),
] as const;
