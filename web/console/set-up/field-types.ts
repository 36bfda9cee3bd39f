/** What a field may hold, in words. */
export const FIELD_TYPES = [
  ...[
    ['string', 'Text'],
    ['email', 'E-mail'],
    ['phone', 'Phone'],
    ['url', 'Web address'],
    ['number', 'Number'],
    ['integer', 'Whole number'],
    ['money', 'Money'],
  ],
  ...[
    ['date', 'Date'],
    ['boolean', 'Yes or no'],
    ['choice', 'Choice'],
    ['state', 'State'],
    ['zip', 'Postcode'],
    ['ip', 'IP address'],
    ['routing', 'Routing number or sort code'],
    ['bin', 'BIN (card number)'],
  ],
].map(([value, label]) => ({ value: value!, label: label! }));
