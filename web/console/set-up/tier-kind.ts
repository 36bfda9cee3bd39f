/** How leads come to a publisher tier, in the words of lists and forms. */
export const TIER_KIND = { api: 'API', lander: 'Lander' } as const;

export const TIER_KIND_OPTIONS = [
  { value: 'api', label: 'API: leads are posted with its keys' },
  { value: 'lander', label: 'Lander: landers of cards send them' },
];
