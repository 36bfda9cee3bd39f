/** Whether an endpoint still reads a kept answer as it must. Pure. */
import type { SampleAnswer, SampleExpected } from '#contract/answer-sample.ts';
import type { EndpointConfig } from '#contract/endpoint.ts';
import { formatMoney, parseMoney } from '#engine/money.ts';
import { compileReading, REASON_LETTERS, type Read, type Reading } from '#server/delivery/compile-reading.ts';
import type { BuildInput } from '#server/delivery/wire.ts';

export interface KeptSample {
  leg: 'ping' | 'post';
  answer: SampleAnswer;
  expected: SampleExpected;
}

/** `differences`: sentences, none where it passes. */
export interface Judgement {
  differences: string[];
  read: SampleExpected | null;
}

/** Each leg is prepared once, however many samples it has. */
export function judgeSamples(endpoint: EndpointConfig, samples: readonly KeptSample[]): Judgement[] {
  const legs = new Map<string, Read>();
  return samples.map(({ leg, answer, expected }) => {
    const config = endpoint[leg];
    if (!config) return { differences: [`The endpoint has no ${leg} any more: remove the sample, or set the ${leg} up.`], read: null };
    const read = legs.get(leg) ?? compileReading(config.response, config.url);
    legs.set(leg, read);
    const reading = readSample(read, leg, answer);
    return { differences: differencesOf(expected, reading), read: expectedOf(reading) };
  });
}

/** A reading does not hang on when and for whom it is done. */
const inputOf = (leg: KeptSample['leg']): BuildInput => ({
  lead: {},
  context: { now: Date.UTC(2026, 0, 1), leadId: '00000000-0000-7000-8000-000000000000', test: true },
  call: { leg, timeoutMs: 10_000 },
});

function readSample(read: Read, leg: KeptSample['leg'], { statusCode, headers, body }: SampleAnswer): Reading {
  const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return read({ status: statusCode, headers: inUtf8(lower), body: Buffer.from(body) }, inputOf(leg));
}

/** The body was kept as text, whatever it was sent in. */
function inUtf8(headers: Record<string, string>): Record<string, string> {
  const kind = (headers['content-type'] ?? 'text/plain').replace(/;\s*charset=[^;]*/gi, '');
  return { ...headers, 'content-type': `${kind}; charset=utf-8` };
}

/** What an answer was read as, as a sample expects it: the first reason stands for all. */
export function expectedOf({ outcome, price, reasons, redirectUrl }: Reading): SampleExpected {
  const [reason] = reasons.filter((text) => text !== '');
  return {
    outcome,
    ...(price !== undefined && price >= 0 && { price: formatMoney(price) }),
    ...(reason !== undefined && { reason: reason.slice(0, REASON_LETTERS) }),
    ...(redirectUrl !== undefined && { redirectUrl: redirectUrl.slice(0, 2000) }),
  };
}

const WORDS: Record<SampleExpected['outcome'], string> = {
  accepted: 'accepted',
  rejected: 'declined',
  duplicate: 'a duplicate',
  pending: 'pending',
  error: 'an error',
};

function differencesOf(expected: SampleExpected, reading: Reading): string[] {
  const { outcome, price, reason, redirectUrl } = expected;
  const differences: string[] = [];
  if (reading.outcome !== outcome) differences.push(`It is read as ${WORDS[reading.outcome]}, and should be ${WORDS[outcome]}.`);
  if (price !== undefined && parseMoney(price) !== reading.price)
    differences.push(
      `${reading.price === undefined ? 'No price is read' : `The price is read as ${formatMoney(reading.price)}`}, and should be ${price}.`,
    );
  const reasons = reading.reasons.map((text) => text.slice(0, REASON_LETTERS));
  if (reason !== undefined && !reasons.includes(reason))
    differences.push(
      `${reasons.length === 0 ? 'No reason is read' : `The reason is read as “${reasons.join('; ')}”`}, and should be “${reason}”.`,
    );
  if (redirectUrl !== undefined && reading.redirectUrl?.slice(0, 2000) !== redirectUrl)
    differences.push(
      `${reading.redirectUrl === undefined ? 'No redirect is read' : `The redirect is read as ${reading.redirectUrl}`}, and should be ${redirectUrl}.`,
    );
  return differences;
}
