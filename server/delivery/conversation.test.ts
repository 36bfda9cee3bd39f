/**
 * Whole conversations, ping and post, in the shapes that buyers' posting documents describe (values invented): the real client against a real
 * HTTP server that says what its script says, and a mail server that does.
 */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type OutgoingHttpHeaders, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EndpointConfig, endpointConfig } from '#contract/endpoint.ts';
import { type LeadMails, openLeadMails } from '#server/mail/lead-mails.ts';
import { compileTier, type Delivery, deliver } from './deliver.ts';
import { createOutbound } from './outbound.ts';
import { parseAllowList } from './outbound-address.ts';
import { withMail } from './outbound-mail.ts';
import type { LeadValues } from './wire.ts';

const lead: LeadValues = { first_name: 'Ann', bank: 'Smith & Sons', zip: '01234', dob: '1980-02-09' };
const secrets = { signing: 'the-new-key', signing_old: 'the-old-key', password: 'p@ss' };
const NOW = Date.UTC(2026, 10, 28, 12);
const context = { now: NOW, leadId: 'L9', secrets };

/** As it arrived at the buyer. */
interface Arrived {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}
type Buyer = (request: Arrived) => { status?: number; type?: string; headers?: OutgoingHttpHeaders; body: string };

let script: Buyer[] = [];
let arrived: Arrived[] = [];
let origin = '';
/** Another origin of the same buyer. */
let otherOrigin = '';
const hear: RequestListener = (request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const one = {
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString('utf8'),
    };
    arrived.push(one);
    const { status = 200, type = 'text/plain', headers = {}, body } = script.shift()!(one);
    response.writeHead(status, { 'content-type': type, ...headers }).end(body);
  });
};
const [buyerServer, otherServer] = [createServer(hear), createServer(hear)];

const HOST = '127.0.0.78';
let refusal: { code: number; text: string } | undefined;
let smtpDelayMs = 0;
const mails: { recipients: string[]; mail: ParsedMail }[] = [];
let rcptDelayMs = 0;
const mailServer = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onRcptTo: (address, _session, done) => {
    const wrong =
      refusal && address.address !== 'copy@buyer.test' ? Object.assign(new Error(refusal.text), { responseCode: refusal.code }) : null;
    setTimeout(() => done(wrong), rcptDelayMs);
  },
  onData(stream, session, done) {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', async () => {
      mails.push({ recipients: session.envelope.rcptTo.map((one) => one.address), mail: await simpleParser(Buffer.concat(chunks)) });
      setTimeout(() => done(null, 'Ok: queued as 4F2'), smtpDelayMs);
    });
  },
});
const mailUrl = () => `smtp://${HOST}:${(mailServer.server.address() as AddressInfo).port}?ignoreTLS=true`;
let leadMails: LeadMails;
const outbound = withMail(
  createOutbound({ allow: parseAllowList(HOST) }),
  { send: (mail) => leadMails.send(mail) },
  { concurrencyPerBuyer: 4, lateGraceMs: 1000 },
);

beforeAll(async () => {
  await new Promise<void>((resolve) => buyerServer.listen(0, HOST, resolve));
  origin = `http://${HOST}:${(buyerServer.address() as AddressInfo).port}`;
  await new Promise<void>((resolve) => otherServer.listen(0, HOST, resolve));
  otherOrigin = `http://${HOST}:${(otherServer.address() as AddressInfo).port}`;
  await new Promise<void>((resolve) => mailServer.listen(0, HOST, resolve));
  leadMails = openLeadMails({ url: mailUrl() }, 'Sluice <leads@sluice.test>');
});
afterAll(async () => {
  await outbound.close();
  buyerServer.close();
  otherServer.close();
  await new Promise<void>((resolve) => mailServer.close(() => resolve()));
});

const tierOf = (config: unknown) => compileTier(endpointConfig.parse(config) as EndpointConfig, 'b');

/** Plays an endpoint against a scripted buyer: ping where there is one, then the post with its captures. One script answers both unless there are several. */
async function converse(config: unknown, ...buyers: Buyer[]): Promise<{ requests: Arrived[]; deliveries: Delivery[] }> {
  const tier = tierOf(config);
  const legs = tier.ping ? (['ping', 'post'] as const) : (['post'] as const);
  script = buyers.length === 1 ? legs.map(() => buyers[0]!) : [...buyers];
  arrived = [];
  const deliveries: Delivery[] = [];
  for (const leg of legs) {
    const before = deliveries.at(-1)?.answer;
    const call = {
      ...{ buyerTierId: 't', leg, timeoutMs: 5000 },
      ...(before?.price === undefined ? {} : { price: before.price }),
      ...(before ? { captures: before.captures } : {}),
    };
    deliveries.push(await deliver(outbound, tier, call, lead, context));
  }
  return { requests: arrived, deliveries };
}

const field = (to: string, name = to, rest: object = {}) => ({ to, from: { kind: 'field', field: name }, ...rest });
const capture = (to: string, name: string) => ({ to, from: { kind: 'capture', name } });
const leg = (name: string, body: object, response: object) => ({ url: `${origin}/${name}`, method: 'POST', body, response });
const says = (outcome: string, path: string, value: unknown) => ({ outcome, when: [{ at: { path }, is: 'equal', value }] });
/** What one text, answered to the post, means. */
const answerTo = async (config: unknown, body: string) => (await converse(config, () => ({ body }))).deliveries[0]!.answer;
const answersOf = (deliveries: Delivery[]) => deliveries.map(({ answer }) => [answer.outcome, answer.price]);

test('shape 1: XML status Matched, entity-escaped at ping, lead_id sent back as Lead_ID', async () => {
  const rules = {
    unescape: true,
    outcomes: [says('accepted', 'response.status', 'Matched'), says('rejected', 'response.status', 'Unmatched')],
    price: { at: [{ path: 'response.price' }] },
    captures: { id: { at: [{ path: 'response.lead_id' }] } },
  };
  const { requests, deliveries } = await converse(
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

test("shape 2: XML with a list of bids; the best one's id goes into the post", async () => {
  const ping = leg(
    'ping',
    { format: 'xml', root: 'lead', mapping: [field('zip')] },
    {
      outcomes: [{ outcome: 'accepted', when: [{ at: { path: 'r.best_bid' }, is: 'atLeast', value: 0.01 }] }],
      bids: { list: 'r.bids.bid', price: 'bid', captures: { bidId: 'bid_id', seller: 'seller' } },
    },
  );
  const post = leg('post', { format: 'json', mapping: [capture('bid_id', 'bidId')] }, { outcomes: [says('accepted', 'ok', true)] });
  const { requests, deliveries } = await converse(
    { ping, post },
    () => ({
      body: '<r><best_bid>4.25</best_bid><bids><bid><bid_id>17</bid_id><seller>x</seller><bid>3</bid></bid><bid><bid_id>18</bid_id><seller>y</seller><bid>4.25</bid></bid></bids></r>',
    }),
    () => ({ body: '{"ok":"Y"}' }),
  );
  expect(requests[1]!.body).toBe('{"bid_id":"18"}');
  expect(deliveries[0]!.answer).toMatchObject({ outcome: 'accepted', price: 42_500, captures: { bidId: '18', seller: 'y' } });
});

test('shape 3: everything wrapped in one object', async () => {
  const post = leg(
    'post',
    {
      format: 'text',
      escape: 'json',
      template: '{"Request":{"Name":"{{first_name | upper}}","Bank":"{{bank}}","Dob":"{{dob | date:M/D/YYYY}}"}}',
    },
    { outcomes: [says('accepted', 'Response.Result', 'Accepted')] },
  );
  const { requests, deliveries } = await converse({ post }, () => ({ body: '{"Response":{"Result":"ACCEPTED"}}' }));
  expect(JSON.parse(requests[0]!.body!)).toEqual({ Request: { Name: 'ANN', Bank: 'Smith & Sons', Dob: '2/9/1980' } });
  expect(deliveries[0]!.answer.outcome).toBe('accepted');
});

test('shape 4: result, msg, ping_id, price, errors[]; the post repeats everything plus the id under another name', async () => {
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
  const { requests, deliveries } = await converse(
    config,
    () => ({ body: '{"result":"success","ping_id":991,"price":"7.00","errors":[]}' }),
    () => ({ status: 201, body: '{"result":"failed","msg":"not today","errors":["zip","age"]}' }),
  );
  expect(requests[1]!.body).toBe('zip=01234&first_name=Ann&pingid=991');
  expect(deliveries[1]!.answer).toMatchObject({ outcome: 'rejected', reasons: ['not today', 'zip', 'age'] });
});

test('shape 5: PascalCase JSON or namespaced XML whose payout may be nothing even on success', async () => {
  const rules = (path: string) => ({ outcomes: [says('accepted', `${path}.Success`, true)], price: { at: [{ path: `${path}.Payout` }] } });
  const asJson = await converse({ post: leg('post', { format: 'json', mapping: [field('Zip', 'zip')] }, rules('Result')) }, () => ({
    body: '{"Result":{"Success":"True","Payout":null}}',
  }));
  const asXml = await converse({ post: leg('post', { format: 'json', mapping: [] }, rules('Result')) }, () => ({
    body: '<Result xmlns="http://x" xmlns:i="http://i"><Success>true</Success><Payout i:nil="true"/></Result>',
  }));
  for (const { deliveries } of [asJson, asXml]) expect(answersOf(deliveries)).toEqual([['accepted', undefined]]);
});

test('shape 6: XML inside a form field; several legs whose sum may be less at post', async () => {
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
  const { requests, deliveries } = await converse(
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

test('shape 7: said to be JSON and is not; its XML twin has an unclosed tag', async () => {
  const by = (pattern: string) => ({ at: { pattern }, is: 'equal', value: 'sold' });
  const rules = {
    outcomes: [
      { outcome: 'accepted', when: [by(String.raw`["']?status["']?\s*[:=]\s*["']?(\w+)`)] },
      { outcome: 'accepted', when: [by('<status>([a-z]+)')] },
    ],
    price: { at: [{ pattern: String.raw`price["']?\s*[:>=]\s*([\d.]+)` }] },
  };
  const post = { post: leg('post', { format: 'json', mapping: [field('zip')] }, rules) };
  for (const [type, body, why] of [
    ['application/json', "{status: 'sold', price: 4.10,}", 'line 1 column 2'],
    ['text/xml', '<r>\n<status>sold<price>4.10</price></r>', 'line 2'],
  ] as const) {
    const { deliveries } = await converse(post, () => ({ type, body }));
    expect(answersOf(deliveries)).toEqual([['accepted', 41_000]]);
    expect(deliveries[0]!.wire.warnings).toContainEqual({ code: 'unreadable-body' });
    const refused = await converse(
      { post: leg('post', { format: 'json', mapping: [] }, { outcomes: [says('accepted', 'status', 'sold')] }) },
      () => ({
        type,
        body,
      }),
    );
    expect(refused.deliveries[0]!.answer).toMatchObject({ outcome: 'error', reasons: [expect.stringContaining(why)] });
  }
});

test('shape 8: always 200; the id is a number at ping and a text at post; zip is a JSON number', async () => {
  const rules = {
    outcomes: [says('accepted', 'accepted', true), says('rejected', 'accepted', false)],
    captures: { id: { at: [{ path: 'id' }] } },
  };
  const { requests, deliveries } = await converse(
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

test('shape 9: a form answer read by position, the sixth pair is the redirect', async () => {
  const rules = { outcomes: [says('accepted', '[0]', '1')], price: { at: [{ path: 'amt' }] }, redirect: { at: [{ path: '[5]' }] } };
  const { deliveries } = await converse({ post: leg('post', { format: 'form', mapping: [] }, rules) }, () => ({
    body: 'r=1&id=5&amt=12.50&c=USD&t=0&u=https%3A%2F%2Fbuyer.test%2Fgo%3Fa%3D1%26b%3D2',
  }));
  expect(deliveries[0]!.answer).toMatchObject({ outcome: 'accepted', price: 125_000, redirectUrl: 'https://buyer.test/go?a=1&b=2' });
});

test('shape 10: WORD,rest; the tier fixes the price', async () => {
  const rules = {
    read: 'delimited',
    delimiter: ',',
    outcomes: [says('accepted', '[0]', 'SOLD'), says('rejected', '[0]', 'UNSOLD')],
    reasons: [{ path: '[1]' }],
  };
  const post = { post: leg('post', { format: 'form', mapping: [] }, rules) };
  expect(await answerTo(post, 'SOLD, 881\r\n')).toMatchObject({ outcome: 'accepted' });
  expect(await answerTo(post, 'UNSOLD,bad zip')).toMatchObject({ outcome: 'rejected', reasons: ['bad zip'] });
});

test('shape 11: a result code in an attribute, hundreds are refusals, the redirect is made by us', async () => {
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
  const ask = (code: string) => answerTo({ post: leg('post', { format: 'form', mapping: [] }, rules) }, `<r code="${code}"/>`);
  expect(await ask('0')).toMatchObject({ outcome: 'accepted', redirectUrl: 'https://buyer.test/start?lead=L9&z=01234' });
  expect(await ask('120')).toMatchObject({ outcome: 'rejected', reasons: ['state not served'] });
  expect((await ask('110')).outcome).toBe('duplicate');
  expect((await ask('7')).outcome).toBe('error');
});

test('shape 12: pipe text with a date and a price by position, or tags in text', async () => {
  const form = { format: 'form', mapping: [] };
  const pipes = { read: 'delimited', delimiter: '|', outcomes: [says('accepted', '[0]', 'OK')], price: { at: [{ path: '[2]' }] } };
  expect(await answerTo({ post: leg('post', form, pipes) }, 'OK|02/09/2026|$7.75|x')).toMatchObject({ outcome: 'accepted', price: 77_500 });
  const tags = {
    read: 'text',
    outcomes: [{ outcome: 'accepted', when: [{ at: { pattern: String.raw`\[STATUS\](\w+)\[/STATUS\]` }, is: 'equal', value: 'sold' }] }],
    price: { at: [{ pattern: String.raw`\[PRICE\]([^\[]*)` }] },
  };
  expect(await answerTo({ post: leg('post', form, tags) }, '[STATUS]SOLD[/STATUS][PRICE]3.10[/PRICE]')).toMatchObject({
    outcome: 'accepted',
    price: 31_000,
  });
});

test('shape 13: a SOAP call and its answer', async () => {
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
  const { requests, deliveries } = await converse({ post }, () => ({
    type: 'text/xml',
    body: '<s:Envelope xmlns:s="e"><s:Body><PostResponse xmlns="urn:b"><PostResult><Status>Accepted</Status><Price>9.00</Price></PostResult></PostResponse></s:Body></s:Envelope>',
  }));
  expect(requests[0]).toMatchObject({
    headers: { soapaction: '"urn:b/Post"' },
    body: expect.stringContaining('<tns:Post><tns:Zip>01234</tns:Zip></tns:Post>'),
  });
  expect(answersOf(deliveries)).toEqual([['accepted', 90_000]]);
});

describe('shape 13: SOAP by its parts', () => {
  const soap = (version: '1.1' | '1.2') => ({
    format: 'soap',
    ...{ version, action: 'urn:b/Post', operation: 'Post', namespace: 'urn:b' },
    header: '<Auth xmlns="urn:b"><Password>{{secret.password}}</Password></Auth>',
    mapping: [field('Lead.Zip', 'zip'), field('Lead.Bank', 'bank'), { to: '@mode', from: { kind: 'constant', value: 'live' } }],
  });
  const rules = {
    outcomes: [says('accepted', 'Envelope.Body.PostResponse.Result', 'Accepted')],
    // Even where all else would be a sale.
    otherwise: 'accepted',
  };
  const inside =
    '<soap:Header><Auth xmlns="urn:b"><Password>p@ss</Password></Auth></soap:Header><soap:Body><Post xmlns="urn:b" mode="live"><Lead><Zip>01234</Zip><Bank>Smith &amp; Sons</Bank></Lead></Post></soap:Body></soap:Envelope>';
  const sold = '<s:Envelope xmlns:s="e"><s:Body><PostResponse xmlns="urn:b"><Result>Accepted</Result></PostResponse></s:Body></s:Envelope>';

  test.each([
    ['1.1', 'http://schemas.xmlsoap.org/soap/envelope/', { 'content-type': 'text/xml; charset=utf-8', soapaction: '"urn:b/Post"' }],
    [
      '1.2',
      'http://www.w3.org/2003/05/soap-envelope',
      { 'content-type': 'application/soap+xml; charset=utf-8; action="urn:b/Post"', soapaction: undefined },
    ],
  ] as const)('version %s: envelope, header and action', async (version, envelope, { soapaction, ...headers }) => {
    const { requests, deliveries } = await converse({ post: leg('post', soap(version), rules) }, () => ({ type: 'text/xml', body: sold }));
    expect(requests[0]).toMatchObject({ headers });
    expect(requests[0]!.headers.soapaction).toBe(soapaction);
    expect(requests[0]!.body).toBe(`<?xml version="1.0" encoding="UTF-8"?><soap:Envelope xmlns:soap="${envelope}">${inside}`);
    expect(deliveries[0]!.answer.outcome).toBe('accepted');
  });

  const fault = (words: string) => `<s:Envelope xmlns:s="e"><s:Body><s:Fault>${words}</s:Fault></s:Body></s:Envelope>`;
  test.each([
    ['1.1', 500, fault('<faultcode>s:Client</faultcode><faultstring>Zip not served</faultstring>'), 'SOAP fault: Zip not served'],
    ['1.2', 500, fault('<Code><Value>s:Sender</Value></Code><Reason><Text xml:lang="en">Busy</Text></Reason>'), 'SOAP fault: Busy'],
    ['1.1 with its code alone', 200, fault('<faultcode>s:Server</faultcode>'), 'SOAP fault: s:Server'],
    ['with nothing in it', 200, fault(''), 'SOAP fault: without a reason'],
  ])('a fault of version %s is never a sale, and says why', async (_name, status, body, reason) => {
    const { deliveries } = await converse({ post: leg('post', soap('1.1'), rules) }, () => ({ status, type: 'text/xml', body }));
    expect(deliveries[0]!.answer).toMatchObject({ outcome: 'error', reasons: [reason] });
    expect(deliveries[0]!.wire.warnings).toContainEqual({ code: 'soap-fault' });
  });

  test('a buyer that refuses by a fault is read by a rule', async () => {
    const refusing = {
      outcomes: [says('rejected', 'Envelope.Body.Fault.faultcode', 'b:NotBought')],
      reasons: [{ path: 'Envelope.Body.Fault.faultstring' }],
    };
    const body = fault('<faultcode>b:NotBought</faultcode><faultstring>age</faultstring>');
    expect(await answerTo({ post: leg('post', soap('1.1'), refusing) }, body)).toMatchObject({ outcome: 'rejected', reasons: ['age'] });
  });
});

test('shape 13: a call for a token first, which the post then carries', async () => {
  const auth = {
    kind: 'tokenCall',
    scheme: 'Token',
    call: {
      url: `${origin}/login`,
      method: 'POST',
      body: { format: 'json', mapping: [{ to: 'password', from: { kind: 'secret', name: 'password' } }] },
      token: [{ path: 'session.key' }],
    },
  };
  const post = { ...leg('post', { format: 'json', mapping: [field('zip')] }, { outcomes: [says('accepted', 'ok', true)] }), auth };
  const { requests, deliveries } = await converse(
    { post },
    () => ({ body: '{"session":{"key":"T-1"}}' }),
    () => ({ body: '{"ok":1}' }),
  );
  expect(requests.map(({ url, body }) => [url, body])).toEqual([
    ['/login', '{"password":"p@ss"}'],
    ['/post', '{"zip":"01234"}'],
  ]);
  expect(requests[1]!.headers.authorization).toBe('Token T-1');
  expect(deliveries[0]!.answer.outcome).toBe('accepted');
});

test('wire-quirks 49: a cookie and a header of the answer to the ping go along with the post', async () => {
  const ping = leg(
    'ping',
    { format: 'json', mapping: [field('zip')] },
    {
      outcomes: [says('accepted', 'bid', true)],
      captures: {
        session: { at: [{ header: 'Set-Cookie', pattern: '(SID=[^;]+)' }] },
        node: { at: [{ header: 'X-Node' }] },
      },
    },
  );
  const post = {
    ...leg('post', { format: 'json', mapping: [field('bank')] }, { outcomes: [says('accepted', 'sold', true)] }),
    headers: { Cookie: '{{capture.session}}', 'X-Node': '{{capture.node}}' },
  };
  const { requests, deliveries } = await converse(
    { ping, post },
    () => ({
      headers: { 'set-cookie': ['theme=dark; Path=/', 'SID=ab12/+=; Path=/; Secure; HttpOnly'], 'x-node': 'eu-7' },
      body: '{"bid":true}',
    }),
    ({ headers }) => ({ body: JSON.stringify({ sold: headers.cookie === 'SID=ab12/+=' && headers['x-node'] === 'eu-7' }) }),
  );
  expect(requests[0]!.headers).not.toHaveProperty('cookie');
  expect(requests[1]!.headers).toMatchObject({ cookie: 'SID=ab12/+=', 'x-node': 'eu-7' });
  expect(answersOf(deliveries)).toEqual([
    ['accepted', undefined],
    ['accepted', undefined],
  ]);
});

describe('wire-quirks 44: a buyer that sends a post on to another server', () => {
  const key = { to: 'password', from: { kind: 'secret', name: 'password' } };
  const signedIn = (mapping: object[], more: object = {}) => ({
    post: {
      ...leg(
        'post',
        { format: 'form', mapping: [field('zip'), ...mapping] },
        { outcomes: [says('accepted', 'ok', true)], price: { at: [{ path: 'price' }] } },
      ),
      auth: { kind: 'basic', username: 'acme', secret: 'password' },
      headers: { cookie: 'known=acme' },
      followRedirects: true,
      ...more,
    },
  });
  const on: Buyer = () => ({ status: 307, headers: { location: `${otherOrigin}/leads?z=1` }, body: 'moved' });

  test('the lead is sold there; who we are stays here, and the record says where the call went', async () => {
    const { requests, deliveries } = await converse(signedIn([]), on, () => ({ body: '{"ok":true,"price":"4.50"}' }));
    expect(requests.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['POST', '/post', 'zip=01234'],
      ['POST', '/leads?z=1', 'zip=01234'],
    ]);
    expect(requests[0]!.headers).toMatchObject({ authorization: expect.stringMatching(/^Basic /), cookie: 'known=acme' });
    for (const name of ['authorization', 'cookie']) expect(requests[1]!.headers).not.toHaveProperty(name);
    const [{ answer, wire }] = deliveries as [Delivery];
    expect(answer).toMatchObject({ outcome: 'accepted', price: 45_000, sent: true });
    expect(wire).toMatchObject({
      request: { url: `${origin}/post` },
      hops: [{ status: 307, method: 'POST', url: `${otherOrigin}/leads?z=1` }],
      response: { status: 200 },
    });
  });

  test('a secret in the rows goes nowhere else, and neither does the user name that is kept with it', async () => {
    const username = { to: 'user', from: { kind: 'system', name: 'username' } };
    for (const [mapping, about] of [
      [[key], context],
      [[{ to: 'hash', from: { kind: 'secret', name: 'password' }, format: [{ kind: 'hash', algorithm: 'sha256' }] }], context],
      [[username], { ...context, username: 'acme-7' }],
    ] as const) {
      script = [on];
      arrived = [];
      const call = { buyerTierId: 't', leg: 'post' as const, timeoutMs: 2000 };
      const { answer, wire } = await deliver(outbound, tierOf(signedIn([...mapping])), call, lead, about);
      const said = 'it sent us on to another address: another server, which would be sent a secret in the body';
      expect(answer).toMatchObject({ outcome: 'error', reasons: [said], sent: true, unclear: true });
      expect(wire.hops).toBeUndefined();
      expect(arrived).toHaveLength(1);
    }
  });

  test('a secret in the address that it names stands in no record', async () => {
    const told: Buyer = () => ({ status: 303, headers: { location: `${origin}/result?key=p%40ss` }, body: '' });
    const { requests, deliveries } = await converse(signedIn([key]), told, () => ({ status: 404, body: 'no such lead' }));
    expect(requests[1]).toMatchObject({ method: 'GET', url: '/result?key=p%40ss', body: '' });
    expect(deliveries[0]!.wire.hops).toEqual([{ status: 303, method: 'GET', url: `${origin}/result?key=_masked_` }]);
    expect(JSON.stringify(deliveries[0]!.wire)).not.toContain('p%40ss');
  });

  test('what becomes of the hop is told as such', async () => {
    const inside: Buyer = () => ({ status: 302, headers: { location: 'http://10.0.0.1/' }, body: '' });
    const { deliveries } = await converse(signedIn([]), inside);
    expect(deliveries[0]!.answer).toMatchObject({
      outcome: 'error',
      reasons: ['it sent us on to another address, and there: its address may not be called: private address'],
      sent: true,
    });
    const off = await converse(signedIn([], { followRedirects: false }), on);
    expect(off.deliveries[0]!.answer).toMatchObject({ outcome: 'error', reasons: ['it sent us on to another address'], sent: true });
    expect(off.requests).toHaveLength(1);
  });
});

describe('shape 13: a lead by e-mail', () => {
  const odd: LeadValues = { ...lead, first_name: 'Ann <b>\r\nBcc: thief@evil.test', bank: 'Smith & "Sons"' };
  const rules = {
    outcomes: [{ outcome: 'accepted', when: [{ at: { part: 'status' }, is: 'equal', value: 250 }] }],
    otherwise: 'rejected',
    reasons: [{ part: 'body' }],
  };
  const endpoint = (body: object) => ({
    post: {
      url: 'mailto:leads@buyer.test',
      method: 'POST',
      body: { format: 'mail', subject: 'Lead {{system.lead_id}} of {{first_name}}', mapping: [], ...body },
      response: rules,
    },
  });
  const mailTo = async (body: object, timeoutMs = 5000) => {
    mails.length = 0;
    const late: Delivery[] = [];
    const call = { buyerTierId: 't', leg: 'post' as const, timeoutMs };
    const delivery = await deliver(outbound, tierOf(endpoint(body)), call, odd, context, (one) => late.push(one));
    return { delivery, late };
  };

  test('as plain text: values keep to their line, no header or second reader comes in by one', async () => {
    const { delivery } = await mailTo({ text: 'Name: {{first_name}}\nBank: {{bank}}', replyTo: 'desk@office.test' });
    expect(delivery.answer).toMatchObject({ outcome: 'accepted', sent: true, reasons: [expect.stringContaining('queued as 4F2')] });
    const [{ mail, recipients } = { mail: undefined, recipients: [] }] = mails;
    expect(recipients).toEqual(['leads@buyer.test']);
    expect(mail!.subject).toBe('Lead L9 of Ann <b> Bcc: thief@evil.test');
    expect(mail!.text!.trimEnd()).toBe('Name: Ann <b> Bcc: thief@evil.test\nBank: Smith & "Sons"');
    expect([mail!.html, mail!.attachments, mail!.replyTo?.text, mail!.bcc]).toEqual([false, [], 'desk@office.test', undefined]);
  });

  test('as HTML: values are text in it', async () => {
    await mailTo({ html: '<p title="{{bank}}">{{first_name}}</p>' });
    expect(mails[0]!.mail.html).toContain('<p title="Smith &amp; &quot;Sons&quot;">Ann &lt;b&gt;');
  });

  test('as an attached XML document, with a copy', async () => {
    const { delivery } = await mailTo({
      text: 'See the attachment.',
      copyTo: ['copy@buyer.test'],
      attachment: { name: 'lead.xml', root: 'lead' },
      mapping: [field('zip'), field('bank.name', 'bank')],
    });
    // The copy follows what the buyer has taken.
    await expect.poll(() => mails.map(({ recipients }) => recipients)).toEqual([['leads@buyer.test'], ['copy@buyer.test']]);
    const [{ mail } = { mail: undefined }, copy] = mails;
    expect(copy!.mail.attachments[0]!.content).toEqual(mail!.attachments[0]!.content);
    const [file] = mail!.attachments;
    expect([file!.filename, file!.contentType]).toEqual(['lead.xml', 'application/xml']);
    expect(file!.content.toString('utf8')).toBe(
      '<?xml version="1.0" encoding="UTF-8"?><lead><zip>01234</zip><bank><name>Smith &amp; &quot;Sons&quot;</name></bank></lead>',
    );
    // The log holds what was sent, once.
    expect(delivery.wire.request).toEqual({
      method: 'MAIL',
      url: 'mailto:leads@buyer.test',
      headers: { to: 'leads@buyer.test', cc: 'copy@buyer.test', subject: expect.stringContaining('Lead L9') },
      body: `See the attachment.\n\n--- lead.xml ---\n${file!.content}`,
    });
  });

  test.each([
    ['for good', { code: 550, text: '5.1.1 no such mailbox' }],
    ['for now', { code: 451, text: '4.7.1 come back later' }],
  ])('refused %s by the mail server: not sold, and why', async (_name, refused) => {
    refusal = refused;
    const { delivery } = await mailTo({ text: 'x' });
    const copied = await mailTo({ text: 'x', copyTo: ['copy@buyer.test'] });
    refusal = undefined;
    // Nobody has a copy of what the buyer did not take.
    expect(mails).toEqual([]);
    for (const { answer } of [delivery, copied.delivery])
      expect(answer).toMatchObject({ outcome: 'rejected', reasons: [expect.stringContaining(refused.text)] });
  });

  test('a mail server that is away has not sent anything; one that is slow may have, and is heard late', async () => {
    const nobody = openLeadMails({ url: `smtp://${HOST}:9`, connectionTimeout: 500 }, 'a@b.test');
    const away = withMail(outbound, nobody, { concurrencyPerBuyer: 1 });
    const call = { buyerTierId: 't', leg: 'post' as const, timeoutMs: 3000 };
    const { answer } = await deliver(away, tierOf(endpoint({ text: 'x' })), call, odd, context);
    expect(answer).toMatchObject({ outcome: 'error', sent: false });
    expect(answer.unclear).toBeUndefined();
    smtpDelayMs = 800;
    const { delivery, late } = await mailTo({ text: 'x' }, 400);
    expect(delivery.answer).toMatchObject({ outcome: 'timeout', sent: true, unclear: true });
    await expect.poll(() => late[0]?.answer.outcome, { timeout: 3000 }).toBe('accepted');
    smtpDelayMs = 0;
  });

  /** A mail server that says what it is told to and then closes; it keeps how often a mail came through. */
  const startAbrupt = async (answers: { greeting?: string; sender?: string; data?: string }) => {
    let mailsIn = 0;
    const server = createTcpServer((socket) => {
      socket.on('error', () => {});
      const say = (line: string) => socket.write(`${line}\r\n`);
      let isInData = false;
      say(answers.greeting ?? '220 ready');
      if (answers.greeting) socket.end();
      socket.on('data', (chunk) => {
        const text = chunk.toString('utf8');
        if (isInData) {
          if (!text.endsWith('\r\n.\r\n')) return;
          mailsIn += 1;
          if (answers.data) say(answers.data);
          socket.destroySoon();
        } else if (/^EHLO/i.test(text)) say('250 here');
        else if (/^MAIL FROM/i.test(text)) say(answers.sender ?? '250 ok');
        else if (/^RCPT TO/i.test(text)) say('250 ok');
        else if (/^DATA/i.test(text)) {
          isInData = true;
          say('354 go on');
        } else say('221 bye');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
    return { url: `smtp://${HOST}:${(server.address() as AddressInfo).port}`, count: () => mailsIn, close: () => server.close() };
  };
  const mailBy = async (url: string) => {
    const over = withMail(outbound, openLeadMails({ url }, 'a@b.test'), { concurrencyPerBuyer: 1 });
    return deliver(over, tierOf(endpoint({ text: 'x' })), { buyerTierId: 't', leg: 'post', timeoutMs: 3000 }, odd, context);
  };

  test.each([
    ['turns us away', { greeting: '421 4.3.2 too many connections' }],
    ['refuses our sender', { sender: '550 5.7.1 not for you' }],
  ])('our own mail server that %s is no answer of the buyer, and nothing was sent', async (_name, answers) => {
    const server = await startAbrupt(answers);
    const { answer } = await mailBy(server.url);
    expect(answer).toMatchObject({ outcome: 'error', sent: false });
    expect(answer.unclear).toBeUndefined();
    server.close();
  });
  test('a mail server that takes its time over the recipient has no mail yet: nothing was sent, then or later', async () => {
    mails.length = 0;
    rcptDelayMs = 600;
    const { delivery } = await mailTo({ text: 'x' }, 200);
    expect(delivery.answer).toMatchObject({ outcome: 'timeout', sent: false });
    expect(delivery.answer.unclear).toBeUndefined();
    await new Promise((resolve) => setTimeout(resolve, 800));
    rcptDelayMs = 0;
    expect(mails).toEqual([]);
  });
  test('a connection that is lost after the mail leaves it unclear, and the mail is never sent again', async () => {
    const server = await startAbrupt({});
    const { answer } = await mailBy(server.url);
    expect(answer).toMatchObject({ outcome: 'error', sent: true, unclear: true });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(server.count()).toBe(1);
    server.close();
  });
  test('a refusal of the mail itself is the answer of the buyer', async () => {
    const server = await startAbrupt({ data: '554 5.6.0 not this one' });
    expect((await mailBy(server.url)).answer).toMatchObject({ outcome: 'rejected', reasons: [expect.stringContaining('5.6.0')] });
    server.close();
  });
  test('who waits behind other mails until the time is up has sent nothing, then or later', async () => {
    mails.length = 0;
    smtpDelayMs = 600;
    const narrow = withMail(outbound, openLeadMails({ url: mailUrl() }, 'a@b.test', 1), { concurrencyPerBuyer: 4 });
    const call = (timeoutMs: number) =>
      deliver(narrow, tierOf(endpoint({ text: 'x' })), { buyerTierId: 't', leg: 'post', timeoutMs }, odd, context);
    const [first, second] = await Promise.all([call(3000), call(200)]);
    smtpDelayMs = 0;
    expect(first.answer).toMatchObject({ outcome: 'accepted' });
    expect(second.answer).toMatchObject({ outcome: 'timeout', sent: false });
    expect((await call(3000)).answer).toMatchObject({ outcome: 'accepted' });
    expect(mails).toHaveLength(2);
  });

  test.each([
    ['another scheme', { url: 'https://buyer.test/leads' }, {}, /mailto:/],
    ['an address of the lead', { url: 'mailto:{{email}}' }, {}, /mailto:/],
    ['several addresses', { url: 'mailto:a@b.test,c@d.test' }, {}, /mailto:/],
    ['headers of its own', { headers: { bcc: 'x@y.test' } }, {}, /no headers/],
    ['nothing in it', {}, { text: '' }, /says nothing/],
    ['rows without a document', {}, { mapping: [field('zip')] }, /attached document/],
    ['a subject of two lines', {}, { subject: 'a\nb' }, /one line/],
    ['a signature', { sign: { secret: 'signing' } }, {}, /cannot be signed/],
    ['a path for a file name', {}, { attachment: { name: '../x.xml', root: 'lead' } }, /file name/],
  ])('%s is refused when it is saved', (_name, ofLeg, ofBody, message) => {
    const { post } = endpoint({ text: 'x', ...ofBody });
    const { error } = endpointConfig.safeParse({ post: { ...post, ...ofLeg } });
    expect(error?.issues.map((issue) => issue.message).join()).toMatch(message);
  });
  test('no bid is asked for by mail', () => {
    const { post } = endpoint({ text: 'x' });
    expect(endpointConfig.safeParse({ ping: post, post }).error?.issues[0]?.message).toMatch(/brings no bid/);
  });
});

describe('a signed webhook', () => {
  const HOUR = 3_600_000;
  const rules = { outcomes: [says('accepted', 'ok', true)] };
  const signed = (sign: object, body: object = { format: 'json', mapping: [field('bank')] }) => ({
    post: { ...leg('hook', body, rules), sign },
  });
  /** What docs/signed-webhooks.md tells buyers to do, as it stands there. */
  let isSigned: (headers: IncomingHttpHeaders, body: string, secret: string, now: number) => boolean;
  beforeAll(async () => {
    const guide = readFileSync(new URL('../../docs/signed-webhooks.md', import.meta.url), 'utf8');
    const [, example = ''] = /```js\n([\s\S]+?)```/.exec(guide) ?? [];
    ({ isSigned } = await import(`data:text/javascript,${encodeURIComponent(example)}`));
  });
  const isFromUs = ({ headers, body }: Arrived, key: string, now = NOW) => isSigned(headers, body, key, now);

  test('is signed over its time and its body, byte for byte', async () => {
    const { requests, deliveries } = await converse(signed({ secret: 'signing' }), () => ({ body: '{"ok":true}' }));
    const [request] = requests;
    expect(request!.headers['x-sluice-timestamp']).toBe(String(NOW / 1000));
    // Computed apart: printf '1795867200.{"bank":"Smith & Sons"}' | openssl dgst -sha256 -hmac the-new-key
    expect(request!.headers['x-sluice-signature']).toBe('v1=5e643fcb4a6fb9232ac3d24796873730cfc516124a879cef95c6c6b40cfd8305');
    expect(isFromUs(request!, 'the-new-key')).toBe(true);
    expect(isFromUs(request!, 'another-key')).toBe(false);
    expect(isFromUs(request!, 'the-new-key', NOW + 6 * 60_000)).toBe(false);
    expect(isFromUs({ ...request!, body: request!.body.replace('&', '+') }, 'the-new-key')).toBe(false);
    expect(deliveries[0]!.wire.request.headers['x-sluice-signature']).toBe('v1=_masked_');
  });

  test('two secrets sign while the buyer changes over, and one from then on', async () => {
    const during = (until: number) =>
      signed({ secret: 'signing', previous: { secret: 'signing_old', until: new Date(until).toISOString() } });
    const inTime = await converse(during(NOW + HOUR), () => ({ body: '{"ok":true}' }));
    expect(['the-new-key', 'the-old-key'].map((key) => isFromUs(inTime.requests[0]!, key))).toEqual([true, true]);
    const after = await converse(during(NOW - 1), () => ({ body: '{"ok":true}' }));
    expect(['the-new-key', 'the-old-key'].map((key) => isFromUs(after.requests[0]!, key))).toEqual([true, false]);
  });

  test('a secret that is not there signs nothing, and says so', async () => {
    const { requests, deliveries } = await converse(signed({ secret: 'gone' }), () => ({ body: '{"ok":true}' }));
    expect(requests[0]!.headers).not.toHaveProperty('x-sluice-signature');
    expect(deliveries[0]!.wire.warnings).toContainEqual({ code: 'unknown-secret', at: 'gone' });
  });

  test.each([
    ['a query', { format: 'query', mapping: [] }, { secret: 'a' }, 'Only a body'],
    [
      'the same secret twice',
      { format: 'json', mapping: [] },
      { secret: 'a', previous: { secret: 'a', until: '2026-12-01T00:00:00Z' } },
      'the one that signs now',
    ],
  ])('%s is refused when it is saved', (_name, body, sign, message) => {
    expect(
      endpointConfig
        .safeParse(signed(sign, body))
        .error?.issues.map((issue) => issue.message)
        .join(),
    ).toContain(message);
  });
});

test('a form says nested names in either notation, as they are written', async () => {
  const mapping = [field('applicant[phones][0][zip]', 'zip'), field('applicant.phones.0.zip', 'zip'), field('tags[]', 'bank')];
  const { requests } = await converse({ post: leg('post', { format: 'form', mapping }, { outcomes: [] }) }, () => ({ body: 'x' }));
  expect([...new URLSearchParams(requests[0]!.body)]).toEqual([
    ['applicant[phones][0][zip]', '01234'],
    ['applicant.phones.0.zip', '01234'],
    ['tags[]', 'Smith & Sons'],
  ]);
});

test('a query carries the rows beside what the address brings, and no body', async () => {
  const get = { ...leg('post?src=1', { format: 'query', mapping: [field('bank')] }, { outcomes: [] }), method: 'GET' };
  const { requests } = await converse({ post: get }, () => ({ body: 'x' }));
  expect(requests[0]).toMatchObject({ method: 'GET', url: '/post?src=1&bank=Smith+%26+Sons', body: '' });
});

test('a wrapper object by its name, and the document inside one parameter', async () => {
  const json = { format: 'json', root: 'Request', mapping: [field('Name', 'first_name'), field('Phones[0].Zip', 'zip')] };
  const plain = await converse({ post: leg('post', json, { outcomes: [] }) }, () => ({ body: 'x' }));
  const document = '{"Request":{"Name":"Ann","Phones":[{"Zip":"01234"}]}}';
  expect(plain.requests[0]).toMatchObject({ body: document, headers: { 'content-type': 'application/json; charset=utf-8' } });
  const wrap = { parameter: 'payload', beside: [field('bank')] };
  const wrapped = await converse({ post: leg('post', { ...json, wrap }, { outcomes: [] }) }, () => ({ body: 'x' }));
  expect(Object.fromEntries(new URLSearchParams(wrapped.requests[0]!.body))).toEqual({ bank: 'Smith & Sons', payload: document });
  const list = { format: 'json', root: 'Request', mapping: [field('[0].zip', 'zip')] };
  expect(endpointConfig.safeParse({ post: leg('post', list, { outcomes: [] }) }).error?.issues[0]?.message).toMatch(/A list has no object/);
});
