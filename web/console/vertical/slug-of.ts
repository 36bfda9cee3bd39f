const slugMax = 40;

/** The part of an address that a name makes: "Auto insurance" is auto-insurance. */
export const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, slugMax)
    .replace(/^-|-$/g, '');
