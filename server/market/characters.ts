/**
 * The buyers of the demo world, each with one way of being difficult. Pure functions, so that history can be made without a
 * socket and the HTTP market is only a shell around them.
 */
import { escapeXml } from '#server/delivery/escape.ts';
import { type Appraisal, appraise, dollars } from './appraise.ts';
import { between, drawFor } from './chance.ts';
import type { Decide, MarketAnswer, MarketLeg, MarketSettings, MarketValues } from './market-answer.ts';

export const characterNames = ['generous', 'picky', 'slow', 'flaky', 'liar', 'xmlOnly', 'bidder', 'formAnswer', 'pipeAnswer'] as const;
export type CharacterName = (typeof characterNames)[number];

export const characters: Record<CharacterName, { decide: Decide }> = {
  /** Buys most of what it sees and pays fairly. */
  generous: { decide: (values, _leg, seed) => sayJson(appraise(values, seed, { buys: 0.86, pays: [0.8, 1.2], delayMs: [25, 90] })) },
  /** Pays well for the few that fit its rules, and says every rule that was broken. */
  picky: { decide: decidePicky },
  /** A fair buyer that takes its time. */
  slow: { decide: decideSlow },
  /** Breaks down, hangs up or falls silent now and then; sometimes after it has bought. */
  flaky: { decide: decideFlaky },
  /** Never means what the status says. */
  liar: { decide: decideLiar },
  /** Speaks namespaced XML, at ping and post. */
  xmlOnly: { decide: decideXml },
  /** Bids at ping, buys what it bid for. */
  bidder: { decide: decideBidder },
  /** Answers in form pairs; the redirect is the sixth. */
  formAnswer: { decide: decideForm },
  /** Answers WORD|id|price|address. */
  pipeAnswer: { decide: decidePipe },
};

function answer(status: number, type: string, body: string, delayMs: number, sold?: string): MarketAnswer {
  return {
    kind: 'answer',
    status,
    headers: { 'content-type': type },
    body,
    delayMs,
    ...(sold === undefined ? {} : { sold: { price: sold } }),
  };
}

function redirectOf(id: string): string {
  return `https://offers.example/apply/${id}?src=partner&step=1`;
}

function sayJson({ verdict, reason, priceCents, id, delayMs }: Appraisal): MarketAnswer {
  const price = dollars(priceCents);
  switch (verdict) {
    case 'buy':
      return answer(
        200,
        'application/json',
        JSON.stringify({ status: 'accepted', lead_id: id, price, redirect_url: redirectOf(id) }),
        delayMs,
        price,
      );
    case 'duplicate':
      return answer(409, 'application/json', JSON.stringify({ status: 'duplicate', reason: 'seen within 30 days' }), delayMs);
    case 'refuse':
      return answer(200, 'application/json', JSON.stringify({ status: 'rejected', reason }), delayMs);
  }
}

const pickyRules: { applies: (values: MarketValues) => boolean; reason: string }[] = [
  {
    applies: ({ state }) => state !== undefined && ['NY', 'CT', 'VT', 'AR', 'GA', 'WV', 'NJ'].includes(state.toUpperCase()),
    reason: 'state not served',
  },
  { applies: ({ monthly_income }) => monthly_income !== undefined && Number(monthly_income) < 2200, reason: 'income too low' },
  { applies: ({ vehicle_year }) => vehicle_year !== undefined && Number(vehicle_year) < 2010, reason: 'vehicle too old' },
  { applies: ({ credit_rating }) => /poor|bad/i.test(credit_rating ?? ''), reason: 'credit policy' },
];

function decidePicky(values: MarketValues, _leg: MarketLeg, seed: string): MarketAnswer {
  const found = appraise(values, seed, { buys: 0.7, pays: [1.2, 1.9], delayMs: [40, 160] });
  const broken = pickyRules.filter((rule) => rule.applies(values)).map((rule) => rule.reason);
  if (broken.length > 0) return answer(422, 'application/json', JSON.stringify({ status: 'rejected', reason: broken }), found.delayMs);
  return sayJson(found);
}

function decideSlow(values: MarketValues, _leg: MarketLeg, seed: string, settings?: MarketSettings): MarketAnswer {
  return sayJson(appraise(values, seed, { buys: 0.6, pays: [0.9, 1.4], delayMs: settings?.slowMs ?? [200, 800] }));
}

function decideFlaky(values: MarketValues, _leg: MarketLeg, seed: string): MarketAnswer {
  const found = appraise(values, seed, { buys: 0.62, pays: [1, 1.5], delayMs: [30, 220] });
  const mood = found.draw('mood');
  if (mood < 0.08) return answer(503, 'text/html', '<html><body><h1>503 Service Unavailable</h1><br></body></html>', found.delayMs);
  if (mood < 0.12) return { kind: 'failure', how: 'reset', delayMs: found.delayMs };
  if (mood < 0.16) return { kind: 'failure', how: 'hang', delayMs: found.delayMs };
  // Bought, and then fell over: the case that reconciliation exists for.
  if (mood < 0.18 && found.verdict === 'buy') return answer(500, 'text/plain', 'Internal error', found.delayMs, dollars(found.priceCents));
  return sayJson(found);
}

function decideLiar(values: MarketValues, _leg: MarketLeg, seed: string): MarketAnswer {
  const { verdict, reason, priceCents, id, delayMs, draw } = appraise(values, seed, { buys: 0.45, pays: [0.9, 1.6], delayMs: [30, 140] });
  const html = 'text/html; charset=utf-8';
  if (verdict === 'buy') {
    const body = {
      success: 'True',
      result: 'success',
      payout: `$${dollars(priceCents)}`,
      ref: id,
      redirect: encodeURIComponent(redirectOf(id)),
    };
    return answer(200, html, `\ufeff${JSON.stringify(body)}`, delayMs, dollars(priceCents));
  }
  const result = verdict === 'duplicate' ? 'success - duplicate' : 'unsuccessful';
  return answer(
    draw('lie') < 0.5 ? 200 : 201,
    html,
    JSON.stringify({ success: 'False', result, payout: null, message: [reason, 'not a success'] }),
    delayMs,
  );
}

function decideXml(values: MarketValues, leg: MarketLeg, seed: string): MarketAnswer {
  const { verdict, reason, priceCents, id, delayMs } = appraise(offered(values), seed, {
    buys: 0.55,
    pays: [0.9, 1.6],
    delayMs: [35, 180],
  });
  const price = dollars(priceCents);
  const wrap = (inside: string, sold?: string) =>
    answer(
      200,
      'text/xml; charset=utf-8',
      `<?xml version="1.0" encoding="UTF-8"?>\n<m:response xmlns:m="urn:market" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">${inside}</m:response>`,
      delayMs,
      sold,
    );
  if (verdict === 'duplicate') return wrap('<m:status>Duplicate</m:status><m:price xsi:nil="true"/>');
  if (verdict === 'refuse') return wrap(`<m:status>Unmatched</m:status><m:errors><m:error><![CDATA[${reason}]]></m:error></m:errors>`);
  const matched = `<m:status>Matched</m:status><m:lead_id>${id}</m:lead_id><m:price currency="USD">${price}</m:price>`;
  return leg === 'ping' ? wrap(matched) : wrap(`${matched}<m:redirect>${escapeXml(redirectOf(id))}</m:redirect>`, price);
}

/** What a lead is worth must not depend on what only the post tells. */
const pingFields = [
  'product',
  'state',
  'zip',
  'monthly_income',
  'loan_amount',
  'vehicle_year',
  'property_value',
  'mortgage_balance',
  'credit_rating',
];
function offered(values: MarketValues): MarketValues {
  return Object.fromEntries(Object.entries(values).filter(([name]) => pingFields.includes(name)));
}

/** The bid travels in its own id, so that the market keeps no memory. */
function decideBidder(values: MarketValues, leg: MarketLeg, seed: string): MarketAnswer {
  const found = appraise(offered(values), seed, { buys: 0.75, pays: [0.7, 1.9], delayMs: [20, 120] });
  return leg === 'ping' ? sayBid(found) : settleBid(values, found, seed);
}

function sayBid({ verdict, priceCents, id, delayMs }: Appraisal): MarketAnswer {
  if (verdict !== 'buy') return answer(200, 'application/json', JSON.stringify({ bid: 0, reason: 'no interest' }), delayMs);
  return answer(
    200,
    'application/json',
    JSON.stringify({ bid: Number(dollars(priceCents)), bid_id: `${id}-${priceCents}`, expires_in: 90 }),
    delayMs,
  );
}

/** Mostly keeps its word; now and then pays less, or finds the consumer after all too risky. */
function settleBid(values: MarketValues, { id, delayMs }: Appraisal, seed: string): MarketAnswer {
  const bidId = values.bid_id ?? '';
  const cents = Number(/^[0-9a-f]{12}-(\d{1,7})$/.exec(bidId)?.[1] ?? 0);
  if (cents === 0) return answer(400, 'application/json', JSON.stringify({ status: 'error', reason: 'unknown bid' }), delayMs);
  const draw = drawFor(seed, `${bidId} ${(values.email ?? '').toLowerCase()}`);
  if (draw('keeps') < 0.07)
    return answer(200, 'application/json', JSON.stringify({ status: 'rejected', reason: 'failed verification' }), delayMs);
  const price = dollars(draw('haggle') < 0.04 ? between(draw('less'), cents * 0.7, cents * 0.95) : cents);
  return answer(
    200,
    'application/json',
    JSON.stringify({ status: 'accepted', price, lead_id: id, redirect_url: redirectOf(id) }),
    delayMs,
    price,
  );
}

function decideForm(values: MarketValues, _leg: MarketLeg, seed: string): MarketAnswer {
  const { verdict, reason, priceCents, id, delayMs } = appraise(values, seed, { buys: 0.6, pays: [0.8, 1.3], delayMs: [30, 150] });
  const type = 'application/x-www-form-urlencoded';
  const pairs = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
  if (verdict !== 'buy') return answer(200, type, pairs({ result: verdict === 'duplicate' ? '2' : '0', error: reason }), delayMs);
  const price = dollars(priceCents);
  return answer(200, type, pairs({ result: '1', id, price, currency: 'USD', test: '0', redirect: redirectOf(id) }), delayMs, price);
}

function decidePipe(values: MarketValues, _leg: MarketLeg, seed: string): MarketAnswer {
  const { verdict, reason, priceCents, id, delayMs } = appraise(values, seed, { buys: 0.65, pays: [0.75, 1.25], delayMs: [20, 110] });
  if (verdict === 'duplicate') return answer(200, 'text/plain', `DUPLICATE|${id}`, delayMs);
  if (verdict === 'refuse') return answer(200, 'text/plain', `REJECTED|${reason}`, delayMs);
  const price = dollars(priceCents);
  return answer(200, 'text/plain', `ACCEPTED|${id}|${price}|${redirectOf(id)}\r\n`, delayMs, price);
}
