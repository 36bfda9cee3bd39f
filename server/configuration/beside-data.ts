/** A record of a configuration has its settings in `data`; these fields stand beside it: ids as names, secrets as no more than their names. */
export const besideData = {
  field: ['verticalId'],
  service: ['name', 'verticalId', 'secrets'],
  suppressionList: ['name'],
  buyer: ['name'],
  buyerTier: ['name', 'buyerId', 'verticalId', 'secrets', 'thirdParty', 'suppressionLists'],
  campaign: ['name', 'verticalId'],
  publisher: ['name', 'affiliateId'],
  publisherTier: ['name', 'publisherId', 'campaignId', 'p2c', 'suppressionLists'],
  promotion: ['name', 'verticalId', 'target'],
  contact: ['publisherId', 'buyerId'],
} as const satisfies Record<string, readonly string[]>;
