/**
 * A made-up consumer as a publisher's form sends it. Who it is follows from `consumerSeed`, what the visit was from `visitSeed`,
 * so that the same person can come back. Phones, e-mail and IP addresses are of ranges reserved for fiction.
 */
import { type Random, randomOf } from './random.ts';
import {
  banks,
  cars,
  employers,
  firstNames,
  insurers,
  lastNames,
  streetKinds,
  streetNames,
  ukPlaces,
  userAgents,
  usPlaces,
} from './world/names.ts';
import type { Country, Place, Product } from './world/world.ts';

export type RawFields = Record<string, unknown>;

export interface ConsumerOptions {
  place: Place;
  /** 0 to 1. */
  quality: number;
  consumerSeed: string;
  visitSeed: string;
  /** When the form was sent. */
  at: number;
}

const DAY_MS = 86_400_000;

export function makeConsumer(options: ConsumerOptions): RawFields {
  const [country, product] = options.place.split('/') as [Country, Product];
  const random = randomOf('consumer', options.consumerSeed);
  const visit = randomOf('visit', options.visitSeed);
  const person = country === 'us' ? usPerson(random) : ukPerson(random);
  return { ...person, ...wishes[options.place]?.(random, options), ...consent(visit, product, country) };
}

function usPerson(random: Random): RawFields {
  const [city, state, zip, area] = random.pick(usPlaces);
  const phone = `${area}55501${random.digits(2)}`;
  const written = [
    `(${phone.slice(0, 3)}) ${phone.slice(3, 6)}-${phone.slice(6)}`,
    phone,
    `+1${phone}`,
    `${phone.slice(0, 3)}-${phone.slice(3, 6)}-${phone.slice(6)}`,
  ];
  return {
    ...named(random),
    phone: random.pick(written),
    address: `${random.integer(10, 9899)} ${random.pick(streetNames)} ${random.pick(streetKinds.us)}`,
    city,
    state,
    zip: zip + random.digits(2),
  };
}

function ukPerson(random: Random): RawFields {
  const [town, nation, outward] = random.pick(ukPlaces);
  return {
    ...named(random),
    phone: random.pick(['07700 900', '+44 7700 900', '07700900']) + random.digits(3),
    address: `${random.integer(1, 240)} ${random.pick(streetNames)} ${random.pick(streetKinds.uk)}`,
    city: town,
    state: nation,
    zip: `${outward} ${random.integer(1, 9)}${random.pick(INWARD)}${random.pick(INWARD)}`,
  };
}

const INWARD = [...'ABDEFGHJLNPQRSTUWXYZ'];

function named(random: Random): RawFields {
  const [first, last] = [random.pick(firstNames), random.pick(lastNames)];
  const local = `${first}.${last}${random.integer(1, 9999)}`
    .normalize('NFD')
    .replace(/[^A-Za-z0-9.]/g, '')
    .toLowerCase();
  const shouts = random.chance(0.08);
  return {
    first_name: shouts ? first.toUpperCase() : first,
    last_name: shouts ? last.toUpperCase() : last,
    email: `${local}@example.${random.pick(['com', 'com', 'net', 'org'])}`,
  };
}

type Wish = (random: Random, options: ConsumerOptions) => RawFields;

const wishes: Partial<Record<Place, Wish>> = {
  'us/payday': paydayUs,
  'uk/payday': paydayUk,
  'us/auto': autoUs,
  'us/mortgage': mortgageUs,
  'uk/mortgage': mortgageUk,
};

/** Two draws make the middle likelier than the ends; quality moves it up. */
function amount(random: Random, quality: number, low: number, high: number, step: number): number {
  const share = (random.next() + random.next()) / 2;
  return Math.round((low + (high - low) * Math.min(1, share * (0.55 + quality * 0.75))) / step) * step;
}

function isoDay(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10);
}

function birthday(random: Random): string {
  return `${random.integer(1952, 2006)}-${String(random.integer(1, 12)).padStart(2, '0')}-${String(random.integer(1, 28)).padStart(2, '0')}`;
}

function paydayUs(random: Random, { quality, at }: ConsumerOptions): RawFields {
  const source = random.weighted({ employment: 70 + quality * 20, self_employed: 8, benefits: 18 - quality * 12, pension: 7 });
  return {
    date_of_birth: birthday(random),
    ssn: `9${random.digits(2)}${random.integer(10, 49)}${random.digits(4)}`,
    residence_type: random.weighted({ rent: 60, own: 30, other: 10 }),
    loan_amount: amount(random, 0.6, 200, 2500, 50),
    income_source: source,
    ...(source === 'employment' && { employer: random.pick(employers), months_employed: random.integer(1, 40 + Math.round(quality * 90)) }),
    monthly_income: amount(random, quality, 700, 7800, 25),
    pay_frequency: random.weighted({ biweekly: 50, weekly: 20, semimonthly: 15, monthly: 15 }),
    next_pay_date: isoDay(at + random.integer(1, 14) * DAY_MS),
    direct_deposit: random.chance(0.72 + quality * 0.2) ? 'yes' : 'no',
    bank_name: random.pick(banks),
    routing_number: routingNumber(random),
    account_number: random.digits(random.integer(8, 12)),
    account_type: random.weighted({ checking: 86, savings: 14 }),
    ...(random.chance(0.6) && { driver_license: `D${random.digits(8)}` }),
  };
}

/** The check digit is right, the first two digits are not given out to any bank. */
function routingNumber(random: Random): string {
  const digits = `1${random.integer(3, 9)}${random.digits(6)}`;
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * [3, 7, 1][at % 3]!, 0);
  return digits + ((10 - (sum % 10)) % 10);
}

function paydayUk(random: Random, { quality, at }: ConsumerOptions): RawFields {
  const income = amount(random, quality, 500, 4200, 10);
  return {
    title: random.pick(['Mr', 'Mrs', 'Ms', 'Miss']),
    date_of_birth: birthday(random),
    residential_status: random.weighted({ 'private tenant': 45, 'council tenant': 25, owner: 18, 'living with family': 12 }),
    months_at_address: random.integer(1, 160),
    loan_amount: amount(random, 0.6, 100, 1500, 50),
    loan_term_months: random.pick([1, 2, 3, 3, 6, 12]),
    employment_status: random.weighted({
      'full time': 55 + quality * 20,
      'part time': 15,
      'self employed': 10,
      benefits: 14 - quality * 8,
      retired: 6,
    }),
    employer: random.pick(employers),
    monthly_income: income,
    housing_costs: Math.round(income * random.between(0.2, 0.5)),
    pay_frequency: random.weighted({ monthly: 50, 'last working day': 20, weekly: 15, fortnightly: 8, 'four weekly': 7 }),
    next_pay_date: isoDay(at + random.integer(1, 28) * DAY_MS),
    bank_sort_code: `00-${random.digits(2)}-${random.digits(2)}`,
    bank_account: random.digits(8),
    ...(random.chance(0.4) && { national_insurance: `QQ${random.digits(6)}${random.pick(['A', 'B', 'C', 'D'])}` }),
    credit_search_consent: random.chance(0.95),
  };
}

function autoUs(random: Random, { quality }: ConsumerOptions): RawFields {
  const [make, models] = random.pick(cars);
  const insured = random.chance(0.55 + quality * 0.35);
  return {
    date_of_birth: birthday(random),
    license_status: random.weighted({ active: 88 + quality * 8, expired: 5, suspended: 5, learner: 2 }),
    vehicle_year: random.integer(2003 + Math.round(quality * 8), 2025),
    vehicle_make: make,
    vehicle_model: random.pick(models),
    vehicle_ownership: random.weighted({ owned: 50, financed: 40, leased: 10 }),
    annual_miles: random.integer(4, 22) * 1000,
    primary_use: random.weighted({ commute: 65, pleasure: 28, business: 7 }),
    insured,
    ...(insured && { current_insurer: random.pick(insurers), months_insured: random.integer(2, 140) }),
    coverage: random.weighted({ standard: 50, full: 30, 'state minimum': 20 }),
    accidents: random.weighted({ 0: 78, 1: 16, 2: 4, 3: 2 }),
    sr22_required: random.chance(0.05),
    credit_rating: credit(random, quality),
    homeowner: random.chance(0.3 + quality * 0.3),
  };
}

function credit(random: Random, quality: number): string {
  return random.weighted({ excellent: 10 + quality * 25, good: 30 + quality * 20, fair: 30, poor: 30 - quality * 22 });
}

function mortgageUs(random: Random, { quality }: ConsumerOptions): RawFields {
  const value = amount(random, quality, 60_000, 1_150_000, 5_000);
  const purpose = random.weighted({ refinance: 45, 'cash out': 25, purchase: 18, 'home equity': 9, reverse: 3 });
  const balance = purpose === 'purchase' ? 0 : Math.round((value * random.between(0.15, 0.85)) / 1000) * 1000;
  return {
    loan_purpose: purpose,
    property_type: random.weighted({ 'single family': 68, condo: 14, townhouse: 12, 'multi family': 4, manufactured: 2 }),
    property_use: random.weighted({ 'primary residence': 86, 'second home': 6, investment: 8 }),
    property_value: value,
    mortgage_balance: balance,
    loan_amount: Math.max(10_000, balance || Math.round(value * 0.8)),
    ...(balance > 0
      ? { current_rate: random.between(2.8, 7.9).toFixed(3) }
      : { down_payment: Math.round(value * 0.2), first_time_buyer: random.chance(0.5) }),
    credit_rating: credit(random, quality),
    annual_income: amount(random, quality, 28_000, 240_000, 1_000),
    employment: random.weighted({ employed: 78, 'self employed': 14, retired: 7, 'not employed': 1 }),
    veteran: random.chance(0.09),
    late_payments: random.weighted({ 0: 86, 1: 9, 2: 5 }),
  };
}

function mortgageUk(random: Random, { quality, at }: ConsumerOptions): RawFields {
  const value = amount(random, quality, 90_000, 820_000, 5_000);
  const type = random.weighted({ remortgage: 44, 'home mover': 22, 'first time buyer': 20, 'buy to let': 11, 'equity release': 3 });
  const balance = type === 'first time buyer' ? 0 : Math.round((value * random.between(0.2, 0.8)) / 1000) * 1000;
  return {
    date_of_birth: birthday(random),
    mortgage_type: type,
    property_type: random.weighted({ terraced: 32, 'semi-detached': 30, flat: 20, detached: 14, bungalow: 4 }),
    property_value: value,
    mortgage_balance: balance,
    loan_amount: Math.max(10_000, balance || Math.round(value * 0.88)),
    ...(balance === 0 && { deposit: Math.round(value * 0.12) }),
    term_years: random.integer(10, 35),
    credit_rating: credit(random, quality),
    household_income: amount(random, quality, 18_000, 150_000, 500),
    employment: random.weighted({ employed: 80, 'self employed': 13, retired: 6, 'not employed': 1 }),
    ...(type === 'remortgage' && { fixed_rate_ends_on: isoDay(at + random.integer(-200, 400) * DAY_MS) }),
  };
}

const NETWORKS = ['192.0.2', '198.51.100', '203.0.113'];
const SITES: Record<Product, string> = {
  payday: 'https://quick-cash.example/apply',
  auto: 'https://compare-cover.example/auto',
  mortgage: 'https://home-rates.example/quiz',
};

/** What proves the consent of this visit. */
function consent(random: Random, product: Product, country: Country): RawFields {
  return {
    ...(random.chance(0.9) && { trustedform_cert_url: `https://cert.trustedform.com/${random.hex(40)}` }),
    ...(random.chance(0.7) && {
      jornaya_leadid: [8, 4, 4, 4, 12]
        .map((length) => random.hex(length))
        .join('-')
        .toUpperCase(),
    }),
    tcpa_text:
      country === 'us'
        ? 'By clicking Submit I agree to be called and texted about my request, also by automated means. Consent is not a condition of purchase.'
        : 'By clicking Submit I agree that my details are passed on to lenders and brokers who may contact me about my request.',
    ip_address: random.chance(0.08) ? `2001:db8::${random.hex(4)}:${random.hex(4)}` : `${random.pick(NETWORKS)}.${random.integer(1, 254)}`,
    user_agent: random.pick(userAgents),
    landing_page: `${SITES[product]}?v=${random.pick(['a', 'b', 'c'])}`,
  };
}

const FAULTS: ((fields: RawFields, random: Random) => RawFields)[] = [
  (fields) => ({ ...fields, email: String(fields.email).replace('@', ' at ') }),
  (fields) => ({ ...fields, phone: String(fields.phone).slice(0, 6) }),
  (fields) => ({ ...fields, zip: '0' }),
  ({ last_name: _missing, ...fields }) => fields,
  (fields) => ({ ...fields, date_of_birth: '31/31/1980' }),
  (fields) => ({ ...fields, first_name: '', email: '' }),
  (fields) => ({ ...fields, ip_address: 'unknown' }),
  (fields) => ('monthly_income' in fields ? { ...fields, monthly_income: 'about 2000' } : { ...fields, address: '' }),
];

/** Something a careless form lets through. */
export function spoil(fields: RawFields, visitSeed: string): RawFields {
  const random = randomOf('fault', visitSeed);
  return random.pick(FAULTS)(fields, random);
}
