/** Fields that a new vertical may begin with; each can be changed or removed afterwards. */
export interface StarterField {
  fieldName: string;
  fieldHumanName: string;
  type: string;
  privacyClass: 'P0' | 'P1' | 'P2' | 'P3';
  required?: boolean;
  inPing?: boolean;
  searchable?: boolean;
  options?: string[];
  min?: number;
  max?: number;
}

const contact: StarterField[] = [
  { fieldName: 'email', fieldHumanName: 'E-mail', type: 'email', privacyClass: 'P2', required: true, searchable: true },
  { fieldName: 'first_name', fieldHumanName: 'First name', type: 'string', privacyClass: 'P2', required: true },
  { fieldName: 'last_name', fieldHumanName: 'Last name', type: 'string', privacyClass: 'P2', required: true },
  { fieldName: 'phone', fieldHumanName: 'Phone', type: 'phone', privacyClass: 'P2', searchable: true },
];
const place = (country: 'us' | 'uk'): StarterField[] => [
  ...(country === 'us' ? [{ fieldName: 'state', fieldHumanName: 'State', type: 'state', privacyClass: 'P1', inPing: true } as const] : []),
  { fieldName: 'zip', fieldHumanName: country === 'us' ? 'ZIP code' : 'Postcode', type: 'zip', privacyClass: 'P1', inPing: true },
];

const loan: StarterField[] = [
  { fieldName: 'loan_amount', fieldHumanName: 'Amount requested', type: 'money', privacyClass: 'P1', inPing: true, min: 0 },
  { fieldName: 'monthly_income', fieldHumanName: 'Monthly income', type: 'money', privacyClass: 'P1', inPing: true, min: 0 },
  {
    ...{ fieldName: 'pay_frequency', fieldHumanName: 'Pay frequency', type: 'choice', privacyClass: 'P1', inPing: true },
    options: ['weekly', 'biweekly', 'monthly'],
  },
];
const vehicle: StarterField[] = [
  {
    fieldName: 'vehicle_year',
    fieldHumanName: 'Year of the vehicle',
    type: 'integer',
    privacyClass: 'P1',
    inPing: true,
    min: 1950,
    max: 2100,
  },
  { fieldName: 'vehicle_make', fieldHumanName: 'Make', type: 'string', privacyClass: 'P1', inPing: true },
  { fieldName: 'insured', fieldHumanName: 'Insured now', type: 'boolean', privacyClass: 'P1', inPing: true },
];

export const starters = {
  contact: { label: 'Name, e-mail and phone', more: [] as StarterField[] },
  loan: { label: 'A loan', more: loan },
  vehicle: { label: 'A vehicle', more: vehicle },
};
export type Starter = keyof typeof starters;

export const starterFields = (starter: Starter, country: 'us' | 'uk'): StarterField[] => [
  ...contact,
  ...place(country),
  ...starters[starter].more,
];
