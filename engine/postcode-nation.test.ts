import { expect, test } from 'vitest';
import { nationOfPostcode } from './postcode-nation.ts';
import { UK_NATIONS } from './state.ts';

test.each([
  ['SW1A 1AA', 'ENG'],
  ['m1 1ae', 'ENG'],
  ['B338TH', 'ENG'],
  ['EC1A 1BB', 'ENG'],
  ['CA11 7XX', 'ENG'],
  ['EH1 1AA', 'SCT'],
  ['G2 8DL', 'SCT'],
  ['ZE1 0AA', 'SCT'],
  ['TD1 1AA', 'SCT'],
  ['CF10 1BH', 'WLS'],
  ['LL57 2DG', 'WLS'],
  ['SY23 3BX', 'WLS'],
  ['BT1 5GS', 'NIR'],
])('console §3: a lead of the postcode %s comes from %s', (postcode, nation) => {
  expect(nationOfPostcode(postcode)).toBe(nation);
  expect(Object.keys(UK_NATIONS)).toContain(nation);
});

test.each(['TD15 1AA', 'SY10 7AA', 'CA6 4AA', 'JE2 3AB', 'IM1 1AA', 'QQ1 1AA', 'EH', 'EH1', '94105', '', 'EH1 1AA and more'])(
  'console §3: %s does not say which nation',
  (postcode) => {
    expect(nationOfPostcode(postcode)).toBe('');
  },
);
