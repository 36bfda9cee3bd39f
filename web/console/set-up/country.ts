/** The countries a region may lie in (console §3). */
export const COUNTRY = { us: 'United States', uk: 'United Kingdom' } as const;
