/** Events for people. */
export const EVENT_LABELS: Readonly<Record<string, string>> = {
  'lead.sold': 'sold leads',
  'lead.notSold': 'leads nobody bought',
  'lead.held': 'held leads',
  'lead.settled': 'settled leads',
  'lead.returned': 'returned leads',
};

export const STATES = {
  due: { label: 'Waits', tone: 'warn' },
  told: { label: 'Told', tone: 'good' },
  failed: { label: 'Given up', tone: 'bad' },
} as const;
