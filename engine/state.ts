/** US states, DC and territories by code (console §3), and the nations of the UK. */
export const US_STATES: Readonly<Record<string, string>> = {
  AL: 'Alabama',
  AK: 'Alaska',
  AZ: 'Arizona',
  AR: 'Arkansas',
  CA: 'California',
  CO: 'Colorado',
  CT: 'Connecticut',
  DE: 'Delaware',
  DC: 'District of Columbia',
  FL: 'Florida',
  GA: 'Georgia',
  HI: 'Hawaii',
  ID: 'Idaho',
  IL: 'Illinois',
  IN: 'Indiana',
  IA: 'Iowa',
  KS: 'Kansas',
  KY: 'Kentucky',
  LA: 'Louisiana',
  ME: 'Maine',
  MD: 'Maryland',
  MA: 'Massachusetts',
  MI: 'Michigan',
  MN: 'Minnesota',
  MS: 'Mississippi',
  MO: 'Missouri',
  MT: 'Montana',
  NE: 'Nebraska',
  NV: 'Nevada',
  NH: 'New Hampshire',
  NJ: 'New Jersey',
  NM: 'New Mexico',
  NY: 'New York',
  NC: 'North Carolina',
  ND: 'North Dakota',
  OH: 'Ohio',
  OK: 'Oklahoma',
  OR: 'Oregon',
  PA: 'Pennsylvania',
  RI: 'Rhode Island',
  SC: 'South Carolina',
  SD: 'South Dakota',
  TN: 'Tennessee',
  TX: 'Texas',
  UT: 'Utah',
  VT: 'Vermont',
  VA: 'Virginia',
  WA: 'Washington',
  WV: 'West Virginia',
  WI: 'Wisconsin',
  WY: 'Wyoming',
  AS: 'American Samoa',
  GU: 'Guam',
  MP: 'Northern Mariana Islands',
  PR: 'Puerto Rico',
  VI: 'U.S. Virgin Islands',
};

export const UK_NATIONS: Readonly<Record<string, string>> = {
  ENG: 'England',
  NIR: 'Northern Ireland',
  SCT: 'Scotland',
  WLS: 'Wales',
};

/** 'CA' -> 'California'; of either country, whose codes differ in length. */
export const stateName = (code: string): string | undefined =>
  [US_STATES, UK_NATIONS].flatMap((names) => (Object.hasOwn(names, code) ? [names[code]!] : []))[0];

export const STATES_BY_COUNTRY = { us: US_STATES, uk: UK_NATIONS } as const;

const codesByCountry = { us: codesOf(US_STATES), uk: codesOf(UK_NATIONS) };

/** 'california' or 'ca' -> 'CA'. */
export function findStateCode(country: 'us' | 'uk', text: string): string | undefined {
  return codesByCountry[country].get(keyOf(text));
}

function codesOf(names: Readonly<Record<string, string>>): Map<string, string> {
  return new Map(
    Object.entries(names).flatMap(
      ([code, name]) =>
        [
          [keyOf(code), code],
          [keyOf(name), code],
        ] as const,
    ),
  );
}

function keyOf(text: string): string {
  return text.toLowerCase().replace(/[^a-z]/g, '');
}
