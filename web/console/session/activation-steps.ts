/** Account §4: what is checked off after the address was confirmed, and when, in ms. */
export const activationSteps = [
  { atMs: 500, label: 'Admin account' },
  { atMs: 2000, label: 'Domain' },
  { atMs: 3500, label: 'Asset dock' },
  { atMs: 5000, label: 'Conversation' },
  { atMs: 5500, label: 'All set' },
  { atMs: 6000, label: 'User registered' },
] as const;

/** How many steps are done `elapsedMs` after the confirmation. */
export const stepsDone = (elapsedMs: number): number => activationSteps.filter(({ atMs }) => elapsedMs >= atMs).length;
