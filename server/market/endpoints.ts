/** Ready endpoint configurations for the simulated buyers: what a person would have set up in the console for them. */
import type { Condition, EndpointConfig, LegBody, LegConfig, Locator, MappingRow, OutcomeRule, ResponseRules } from '#contract/endpoint.ts';
import type { CharacterName } from './characters.ts';

export type MarketVertical = 'payday' | 'auto' | 'mortgage';
export interface EndpointPlace {
  /** Where the market listens, e.g. http://127.0.0.1:4100. */
  baseUrl: string;
  buyerSlug: string;
  vertical: MarketVertical;
}

/** What each vertical's buyers ask for; `ping` holds nothing that tells who the consumer is. */
export const verticalFields: Record<MarketVertical, { ping: string[]; post: string[] }> = {
  payday: {
    ping: ['state', 'zip', 'monthly_income', 'loan_amount'],
    post: ['first_name', 'last_name', 'email', 'phone', 'date_of_birth', 'employer', 'bank_name', 'routing_number'],
  },
  auto: {
    ping: ['state', 'zip', 'vehicle_year', 'vehicle_make'],
    post: ['first_name', 'last_name', 'email', 'phone', 'vehicle_model', 'current_insurer'],
  },
  mortgage: {
    ping: ['state', 'zip', 'property_value', 'mortgage_balance', 'credit_rating', 'property_type'],
    post: ['first_name', 'last_name', 'email', 'phone'],
  },
};

/** A whole endpoint; bidder and xmlOnly have a ping, the others are posted straight away and name their price then. */
export function endpointFor(character: CharacterName, place: EndpointPlace): EndpointConfig {
  switch (character) {
    case 'generous':
    case 'picky':
    case 'slow':
    case 'flaky':
      return { post: leg(character, place, 'post', { format: 'json', mapping: postRows(place.vertical) }, jsonRules) };
    case 'liar':
      return { post: leg(character, place, 'post', { format: 'form', mapping: postRows(place.vertical) }, liarRules) };
    case 'xmlOnly':
      return xmlEndpoint(place);
    case 'bidder':
      return bidderEndpoint(place);
    case 'formAnswer':
      return { post: leg(character, place, 'post', { format: 'form', mapping: postRows(place.vertical) }, formRules) };
    case 'pipeAnswer':
      return { post: leg(character, place, 'post', { format: 'json', mapping: wrapRows(postRows(place.vertical), 'Request') }, pipeRules) };
  }
}

function leg(
  character: CharacterName,
  { baseUrl, buyerSlug }: EndpointPlace,
  name: 'ping' | 'post',
  body: LegBody,
  response: ResponseRules,
): LegConfig {
  return { url: `${baseUrl}/${character}/${buyerSlug}/${name}`, method: 'POST', body, response };
}

const at = (path: string): Locator => ({ path });
const equal = (path: string, value: string | number): Condition => ({ at: at(path), is: 'equal', value });
const when = (outcome: OutcomeRule['outcome'], ...conditions: Condition[]): OutcomeRule => ({ outcome, when: conditions });

function pingRows(vertical: MarketVertical): MappingRow[] {
  return [{ to: 'product', from: { kind: 'constant', value: vertical } }, ...verticalFields[vertical].ping.map(fieldRow)];
}

function postRows(vertical: MarketVertical): MappingRow[] {
  return [
    ...pingRows(vertical),
    ...verticalFields[vertical].post.map(fieldRow),
    { to: 'lead_id', from: { kind: 'system', name: 'lead_id' } },
    { to: 'sub_id', from: { kind: 'system', name: 'sub_id' }, omitWhenEmpty: true },
  ];
}

function fieldRow(field: string): MappingRow {
  const row: MappingRow = { to: field, from: { kind: 'field', field } };
  if (field === 'date_of_birth') row.format = [{ kind: 'date', pattern: 'MM/DD/YYYY' }];
  if (field === 'phone') row.format = [{ kind: 'phone', pattern: '###-###-####' }];
  if (field === 'state') row.format = [{ kind: 'case', to: 'upper' }];
  return row;
}

function wrapRows(rows: MappingRow[], wrapper: string): MappingRow[] {
  return rows.map((row) => ({ ...row, to: `${wrapper}.${row.to}` }));
}

const jsonRules: ResponseRules = {
  outcomes: [
    when('duplicate', equal('status', 'duplicate')),
    when('accepted', equal('status', 'accepted')),
    when('rejected', equal('status', 'rejected')),
  ],
  price: { at: [at('price')] },
  reasons: [at('reason')],
  redirect: { at: [at('redirect_url')] },
  captures: { leadRef: { at: [at('lead_id')] } },
};

const liarRules: ResponseRules = {
  outcomes: [
    when('duplicate', { at: at('result'), is: 'matches', pattern: '(?i)duplicate' }),
    when('accepted', equal('result', 'success'), { at: at('success'), is: 'true' }),
    when('rejected', { at: at('success'), is: 'false' }),
  ],
  price: { at: [at('payout')] },
  reasons: [at('message')],
  redirect: { at: [at('redirect')] },
  captures: { leadRef: { at: [at('ref')] } },
};

const formRules: ResponseRules = {
  read: 'form',
  outcomes: [when('accepted', equal('result', 1)), when('duplicate', equal('result', 2)), when('rejected', equal('result', 0))],
  price: { at: [at('price')] },
  reasons: [at('error')],
  redirect: { at: [at('[5]')] },
  captures: { leadRef: { at: [at('id')] } },
};

const pipeRules: ResponseRules = {
  read: 'delimited',
  delimiter: '|',
  outcomes: [
    when('accepted', equal('[0]', 'ACCEPTED')),
    when('duplicate', equal('[0]', 'DUPLICATE')),
    when('rejected', equal('[0]', 'REJECTED')),
  ],
  price: { at: [at('[2]')] },
  reasons: [{ pattern: String.raw`^REJECTED\|([^|\r\n]*)` }],
  redirect: { at: [at('[3]')] },
  captures: { leadRef: { at: [at('[1]')] } },
};

const xmlRules: ResponseRules = {
  outcomes: [
    when('accepted', equal('response.status', 'Matched')),
    when('duplicate', equal('response.status', 'Duplicate')),
    when('rejected', equal('response.status', 'Unmatched')),
  ],
  price: { at: [at('response.price')] },
  reasons: [at('response.errors')],
  redirect: { at: [at('response.redirect')] },
  captures: { leadRef: { at: [at('response.lead_id')] } },
};

function xmlEndpoint(place: EndpointPlace): EndpointConfig {
  const body = (mapping: MappingRow[]): LegBody => ({ format: 'xml', root: 'request', mapping });
  const ping = leg('xmlOnly', place, 'ping', body(pingRows(place.vertical)), xmlRules);
  const id: MappingRow = { to: '@ping_id', from: { kind: 'capture', name: 'leadRef' } };
  return { ping, post: leg('xmlOnly', place, 'post', body([id, ...wrapRows(postRows(place.vertical), 'lead')]), xmlRules) };
}

function bidderEndpoint(place: EndpointPlace): EndpointConfig {
  const ping = leg(
    'bidder',
    place,
    'ping',
    { format: 'json', mapping: pingRows(place.vertical) },
    {
      outcomes: [when('rejected', equal('bid', 0)), when('accepted', { at: at('bid_id'), is: 'present' })],
      price: { at: [at('bid')] },
      reasons: [at('reason')],
      captures: { bidId: { at: [at('bid_id')] } },
      expiry: { at: [at('expires_in')], unit: 'seconds' },
    },
  );
  const rows: MappingRow[] = [
    { to: 'bid_id', from: { kind: 'capture', name: 'bidId' } },
    { to: 'price', from: { kind: 'system', name: 'price' } },
    ...postRows(place.vertical),
  ];
  return { ping, post: leg('bidder', place, 'post', { format: 'json', mapping: rows }, jsonRules) };
}
