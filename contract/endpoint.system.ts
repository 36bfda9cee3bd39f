/** Values the platform itself can put into a buyer's request. The spec's hard-coded buyer field keys are the second row. */
export const systemNames = [
  ...([
    'leadId',
    'subId',
    'affiliateId',
    'campaignName',
    'minimumPrice',
    'maxSales',
    'currency',
    'timeoutMs',
    'test',
    'leg',
    'bid',
    'winningPrice',
  ] as const),
  ...([
    'username',
    'password',
    'publisherAffliateId',
    'publisherTierSubId',
    'campaign',
    'price',
    'hard_code',
    'sub_id',
    'lead_id',
    'timestamp',
  ] as const),
] as const;
