/** "-12.50" and "12.50" turned round, as texts: amounts are never floats. */
export const turned = (amount: string): string =>
  amount.startsWith('-') ? amount.slice(1) : /^0+(\.0+)?$/.test(amount) ? amount : `-${amount}`;

export const isNothing = (amount: string): boolean => /^-?0+(\.0+)?$/.test(amount);
export const isMinus = (amount: string): boolean => amount.startsWith('-') && !isNothing(amount);
