/** Whole conversations, ping and post, in the shapes that buyers' posting documents describe (values invented). */
import { expect, test } from 'vitest';
import { type EndpointConfig, endpointConfig } from '#contract/endpoint.ts';
import { concludeDelivery, type Delivery } from './conclude-delivery.ts';
import { compileTier } from './deliver.ts';
import type { LeadValues, WireRequest } from './wire.ts';

const lead: LeadValues = { first_name: 'Ann', bank: 'Smith & Sons', zip: '01234', dob: '1980-02-09' };
const context = { now: 0, leadId: 'L9' };
type Buyer = (request: WireRequest) => { status?: number; type?: string; body: string };

/** Plays an endpoint against a scripted buyer: ping where there is one, then the post with its captures. */
function converse(config: unknown, ...buyers: Buyer[]): { requests: WireRequest[]; deliveries: Delivery[] } {
  const tier = compileTier(endpointConfig.parse(config) as EndpointConfig, 'b');
  const requests: WireRequest[] = [];
  const deliveries: Delivery[] = [];
  const ask = (name: 'ping' | 'post', buyer: Buyer) => {
    const before = deliveries.at(-1)?.answer;
    const input = {
      lead,
      context,
      call: {
        leg: name,
        timeoutMs: 900,
        ...(before?.price === undefined ? {} : { price: before.price }),
        ...(before ? { captures: before.captures } : {}),
      },
    };
    const leg = name === 'ping' ? tier.ping! : tier.post;
    const { request, warnings } = leg.build(input);
    const said = buyer(request);
    const headers = { 'content-type': said.type ?? 'text/plain' };
    requests.push(request);
    const result = {
      kind: 'response' as const,
      status: said.status ?? 200,
      headers,
      body: Buffer.from(said.body),
      timing: { waitMs: 1, readMs: 0 },
    };
    deliveries.push(concludeDelivery({ leg, input, request, warnings, result, elapsedMs: 1 }));
  };
  if (tier.ping) ask('ping', buyers[0]!);
  ask('post', buyers.at(-1)!);
  return { requests, deliveries };
}

const field = (to: string, name = to, rest: object = {}) => ({ to, from: { kind: 'field', field: name }, ...rest });
const capture = (to: string, name: string) => ({ to, from: { kind: 'capture', name } });
const leg = (name: string, body: object, response: object) => ({ url: `https://buyer.test/${name}`, method: 'POST', body, response });
const says = (outcome: string, path: string, value: unknown) => ({ outcome, when: [{ at: { path }, is: 'equal', value }] });
const answersOf = (deliveries: Delivery[]) => deliveries.map(({ answer }) => [answer.outcome, answer.price]);

test('shape 1: XML status Matched, entity-escaped at ping, lead_id sent back as Lead_ID', () => {
  const rules = {
    unescape: true,
    outcomes: [says('accepted', 'response.status', 'Matched'), says('rejected', 'response.status', 'Unmatched')],
    price: { at: [{ path: 'response.price' }] },
    captures: { id: { at: [{ path: 'response.lead_id' }] } },
  };
  const { requests, deliveries } = converse(
    {
      ping: leg('ping', { format: 'xml', root: 'lead', mapping: [field('zip')] }, rules),
      post: leg('post', { format: 'xml', root: 'lead', mapping: [capture('Lead_ID', 'id'), field('bank')] }, rules),
    },
    () => ({
      body: '&lt;response&gt;&lt;status&gt;Matched&lt;/status&gt;&lt;lead_id&gt;0077&lt;/lead_id&gt;&lt;price&gt;8.50&lt;/price&gt;&lt;/response&gt;',
    }),
    () => ({ type: 'application/json', body: '<response><status>Matched</status><price>8.50</price></response>' }),
  );
  expect(requests[1]!.body).toContain('<lead><Lead_ID>0077</Lead_ID><bank>Smith &amp; Sons</bank></lead>');
  expect(answersOf(deliveries)).toEqual([
    ['accepted', 85_000],
    ['accepted', 85_000],
  ]);
});

test("shape 2: XML with a list of bids; the best one's id goes into the post", () => {
  const ping = leg(
    'ping',
    { format: 'xml', root: 'lead', mapping: [field('zip')] },
    {
      outcomes: [{ outcome: 'accepted', when: [{ at: { path: 'r.best_bid' }, is: 'atLeast', value: 0.01 }] }],
      bids: { list: 'r.bids.bid', price: 'bid', captures: { bidId: 'bid_id', seller: 'seller' } },
    },
  );
  const post = leg('post', { format: 'json', mapping: [capture('bid_id', 'bidId')] }, { outcomes: [says('accepted', 'ok', true)] });
  const { requests, deliveries } = converse(
    { ping, post },
    () => ({
      body: '<r><best_bid>4.25</best_bid><bids><bid><bid_id>17</bid_id><seller>x</seller><bid>3</bid></bid><bid><bid_id>18</bid_id><seller>y</seller><bid>4.25</bid></bid></bids></r>',
    }),
    () => ({ body: '{"ok":"Y"}' }),
  );
  expect(requests[1]!.body).toBe('{"bid_id":"18"}');
  expect(deliveries[0]!.answer).toMatchObject({ outcome: 'accepted', price: 42_500, captures: { bidId: '18', seller: 'y' } });
});

test('shape 3: everything wrapped in one object', () => {
  const post = leg(
    'post',
    {
      format: 'text',
      escape: 'json',
      template: '{"Request":{"Name":"{{first_name | upper}}","Bank":"{{bank}}","Dob":"{{dob | date:M/D/YYYY}}"}}',
    },
    { outcomes: [says('accepted', 'Response.Result', 'Accepted')] },
  );
  const { requests, deliveries } = converse({ post }, () => ({ body: '{"Response":{"Result":"ACCEPTED"}}' }));
  expect(JSON.parse(requests[0]!.body!)).toEqual({ Request: { Name: 'ANN', Bank: 'Smith & Sons', Dob: '2/9/1980' } });
  expect(deliveries[0]!.answer.outcome).toBe('accepted');
});

test('shape 4: result, msg, ping_id, price, errors[]; the post repeats everything plus the id under another name', () => {
  const rules = {
    outcomes: [says('accepted', 'result', 'success'), says('rejected', 'result', 'failed')],
    price: { at: [{ path: 'price' }] },
    reasons: [{ path: 'msg' }, { path: 'errors' }],
    captures: { pingId: { at: [{ path: 'ping_id' }] } },
  };
  const mapping = [field('zip'), field('first_name')];
  const config = {
    ping: leg('ping', { format: 'form', mapping }, rules),
    post: leg('post', { format: 'form', mapping: [...mapping, capture('pingid', 'pingId')] }, rules),
  };
  const { requests, deliveries } = converse(
    config,
    () => ({ body: '{"result":"success","ping_id":991,"price":"7.00","errors":[]}' }),
    () => ({ status: 201, body: '{"result":"failed","msg":"not today","errors":["zip","age"]}' }),
  );
  expect(requests[1]!.body).toBe('zip=01234&first_name=Ann&pingid=991');
  expect(deliveries[1]!.answer).toMatchObject({ outcome: 'rejected', reasons: ['not today', 'zip', 'age'] });
});

test('shape 5: PascalCase JSON or namespaced XML whose payout may be nothing even on success', () => {
  const rules = (path: string) => ({ outcomes: [says('accepted', `${path}.Success`, true)], price: { at: [{ path: `${path}.Payout` }] } });
  const asJson = converse({ post: leg('post', { format: 'json', mapping: [field('Zip', 'zip')] }, rules('Result')) }, () => ({
    body: '{"Result":{"Success":"True","Payout":null}}',
  }));
  const asXml = converse({ post: leg('post', { format: 'json', mapping: [] }, rules('Result')) }, () => ({
    body: '<Result xmlns="http://x" xmlns:i="http://i"><Success>true</Success><Payout i:nil="true"/></Result>',
  }));
  for (const { deliveries } of [asJson, asXml]) expect(answersOf(deliveries)).toEqual([['accepted', undefined]]);
});

test('shape 6: XML inside a form field; several legs whose sum may be less at post', () => {
  const rules = {
    outcomes: [{ outcome: 'accepted', when: [{ at: { path: 'result.leg[0].@id' }, is: 'present' }] }],
    price: { at: [{ path: 'result.leg.price' }], combine: 'sum' },
    captures: { legs: { at: [{ path: 'result.leg.@id' }], join: ',' } },
  };
  const body = (mapping: object[]) => ({
    format: 'xml',
    root: 'lead',
    mapping,
    wrap: { parameter: 'xml', beside: [{ to: 'source', from: { kind: 'system', name: 'lead_id' } }] },
  });
  const { requests, deliveries } = converse(
    { ping: leg('ping', body([field('zip')]), rules), post: leg('post', body([capture('@legs', 'legs'), field('bank')]), rules) },
    () => ({ body: '<result><leg id="a"><price>5.00</price></leg><leg id="b"><price>3.50</price></leg></result>' }),
    () => ({ body: '<result><leg id="a"><price>5.00</price></leg></result>' }),
  );
  const sent = new URLSearchParams(requests[1]!.body);
  expect([sent.get('source'), sent.get('xml')]).toEqual([
    'L9',
    '<?xml version="1.0" encoding="UTF-8"?><lead legs="a,b"><bank>Smith &amp; Sons</bank></lead>',
  ]);
  expect(answersOf(deliveries)).toEqual([
    ['accepted', 85_000],
    ['accepted', 50_000],
  ]);
});

test('shape 8: always 200; the id is a number at ping and a text at post; zip is a JSON number', () => {
  const rules = {
    outcomes: [says('accepted', 'accepted', true), says('rejected', 'accepted', false)],
    captures: { id: { at: [{ path: 'id' }] } },
  };
  const { requests, deliveries } = converse(
    {
      ping: leg('ping', { format: 'json', mapping: [field('zip', 'zip', { type: 'number' })] }, rules),
      post: leg('post', { format: 'json', mapping: [capture('id', 'id')] }, rules),
    },
    () => ({ body: '{"accepted":true,"id":90071992547409931}' }),
    () => ({ body: '{"accepted":false,"id":"90071992547409931"}' }),
  );
  expect(requests.map((request) => request.body)).toEqual(['{"zip":1234}', '{"id":"90071992547409931"}']);
  expect(deliveries[0]!.wire.warnings).toContainEqual({ code: 'leading-zeros-dropped', at: 'zip' });
  expect(deliveries[1]!.answer).toMatchObject({ outcome: 'rejected', captures: { id: '90071992547409931' } });
});

test('shape 9: a form answer read by position, the sixth pair is the redirect', () => {
  const rules = { outcomes: [says('accepted', '[0]', '1')], price: { at: [{ path: 'amt' }] }, redirect: { at: [{ path: '[5]' }] } };
  const { deliveries } = converse({ post: leg('post', { format: 'form', mapping: [] }, rules) }, () => ({
    body: 'r=1&id=5&amt=12.50&c=USD&t=0&u=https%3A%2F%2Fbuyer.test%2Fgo%3Fa%3D1%26b%3D2',
  }));
  expect(deliveries[0]!.answer).toMatchObject({ outcome: 'accepted', price: 125_000, redirectUrl: 'https://buyer.test/go?a=1&b=2' });
});

test('shape 10: WORD,rest; the tier fixes the price', () => {
  const rules = {
    read: 'delimited',
    delimiter: ',',
    outcomes: [says('accepted', '[0]', 'SOLD'), says('rejected', '[0]', 'UNSOLD')],
    reasons: [{ path: '[1]' }],
  };
  const post = { post: leg('post', { format: 'form', mapping: [] }, rules) };
  expect(converse(post, () => ({ body: 'SOLD, 881\r\n' })).deliveries[0]!.answer).toMatchObject({ outcome: 'accepted' });
  expect(converse(post, () => ({ body: 'UNSOLD,bad zip' })).deliveries[0]!.answer).toMatchObject({
    outcome: 'rejected',
    reasons: ['bad zip'],
  });
});

test('shape 11: a result code in an attribute, hundreds are refusals, the redirect is made by us', () => {
  const rules = {
    outcomes: [
      says('accepted', 'r.@code', 0),
      says('duplicate', 'r.@code', 110),
      { outcome: 'rejected', when: [{ at: { path: 'r.@code' }, is: 'atLeast', value: 100 }] },
    ],
    reasons: [{ path: 'r.@code' }],
    reasonMap: { 120: 'state not served' },
    redirect: { template: 'https://buyer.test/start?lead={{system.lead_id}}&z={{zip}}' },
  };
  const ask = (code: string) =>
    converse({ post: leg('post', { format: 'form', mapping: [] }, rules) }, () => ({ body: `<r code="${code}"/>` })).deliveries[0]!.answer;
  expect(ask('0')).toMatchObject({ outcome: 'accepted', redirectUrl: 'https://buyer.test/start?lead=L9&z=01234' });
  expect(ask('120')).toMatchObject({ outcome: 'rejected', reasons: ['state not served'] });
  expect(ask('110').outcome).toBe('duplicate');
  expect(ask('7').outcome).toBe('error');
});

test('shape 12: pipe text with a date and a price by position, or tags in text', () => {
  const pipes = { read: 'delimited', delimiter: '|', outcomes: [says('accepted', '[0]', 'OK')], price: { at: [{ path: '[2]' }] } };
  expect(
    converse({ post: leg('post', { format: 'form', mapping: [] }, pipes) }, () => ({ body: 'OK|02/09/2026|$7.75|x' })).deliveries[0]!
      .answer,
  ).toMatchObject({ outcome: 'accepted', price: 77_500 });
  const tags = {
    read: 'text',
    outcomes: [{ outcome: 'accepted', when: [{ at: { pattern: String.raw`\[STATUS\](\w+)\[/STATUS\]` }, is: 'equal', value: 'sold' }] }],
    price: { at: [{ pattern: String.raw`\[PRICE\]([^\[]*)` }] },
  };
  expect(
    converse({ post: leg('post', { format: 'form', mapping: [] }, tags) }, () => ({ body: '[STATUS]SOLD[/STATUS][PRICE]3.10[/PRICE]' }))
      .deliveries[0]!.answer,
  ).toMatchObject({ outcome: 'accepted', price: 31_000 });
});

test('shape 13: a SOAP call and its answer', () => {
  const body = {
    format: 'xml',
    mapping: [field('tns:Zip', 'zip')],
    xml_open: '<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/" xmlns:tns="urn:b"><soap:Body><tns:Post>',
    xml_close: '</tns:Post></soap:Body></soap:Envelope>',
  };
  const rules = {
    outcomes: [says('accepted', 'Envelope.Body.PostResponse.PostResult.Status', 'Accepted')],
    price: { at: [{ path: 'Envelope.Body.*.PostResult.Price' }] },
  };
  const post = { ...leg('post', body, rules), headers: { SOAPAction: '"urn:b/Post"' } };
  const { requests, deliveries } = converse({ post }, () => ({
    type: 'text/xml',
    body: '<s:Envelope xmlns:s="e"><s:Body><PostResponse xmlns="urn:b"><PostResult><Status>Accepted</Status><Price>9.00</Price></PostResult></PostResponse></s:Body></s:Envelope>',
  }));
  expect(requests[0]).toMatchObject({
    headers: { soapaction: '"urn:b/Post"' },
    body: expect.stringContaining('<tns:Post><tns:Zip>01234</tns:Zip></tns:Post>'),
  });
  expect(answersOf(deliveries)).toEqual([['accepted', 90_000]]);
});
