/** The answer to a real attempt as a sample: nothing of the person in it, and only the headers that the endpoint reads. */
import { type AttemptSample, SAMPLE_LETTERS, sampleAnswer } from '#contract/answer-sample.ts';
import type { EndpointConfig, LegConfig } from '#contract/endpoint.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { viewWire } from '#server/lead/attempt.view.ts';
import { fieldsOf, maskingOf } from '#server/lead/lead.view.ts';
import type { LeadRecord } from '#server/lead/lead-view.sql.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import { judgeSamples } from './judge-sample.ts';

/** With what the tier's endpoint, as it is now, reads in it. */
export function sampleOfAttempt(
  organization: OrganizationPlan,
  record: LeadRecord,
  attemptIndex: number,
): AttemptSample & { buyerTierId: string } {
  const attempt = record.attempts.find((one) => one.attempt_index === attemptIndex);
  const wire = record.wires[attemptIndex];
  const seat = attempt && organization.buyerWires.get(attempt.buyer_tier_id);
  const leg = attempt?.leg as AttemptSample['leg'];
  const config = seat?.endpoint[leg];
  const shown = wire && viewWire(wire, maskingOf(fieldsOf(organization, record), record.stored));
  if (!attempt || !seat || !shown || shown.statusCode === null)
    throw new HttpError(404, 'attempt_unanswered', 'The buyer gave no answer to this attempt that could be kept. Take another attempt.');
  if (!config) throw new HttpError(409, 'attempt_leg_gone', `The endpoint of the tier has no ${leg} any more. Set it up first.`);
  if (shown.responseBody.length > SAMPLE_LETTERS)
    throw new HttpError(
      409,
      'sample_too_long',
      `The answer has more than ${SAMPLE_LETTERS} characters. Paste the part that is read into the endpoint editor instead.`,
    );
  const read = headersRead(config);
  const headers = Object.fromEntries(Object.entries(shown.responseHeaders).filter(([name]) => read.has(name.toLowerCase())));
  const answer = sampleAnswer.parse({ statusCode: shown.statusCode, headers, body: shown.responseBody });
  const [judged] = judgeSamples({ [leg]: config } as unknown as EndpointConfig, [{ leg, answer, expected: { outcome: 'error' } }]);
  return { buyerTierId: attempt.buyer_tier_id, leg, answer, expected: judged!.read! };
}

/** In small letters: what every reading looks at, and what this one's rules name. */
function headersRead({ response }: LegConfig): Set<string> {
  const named = [...JSON.stringify(response).matchAll(/"header":"([^"]+)"/g)].map(([, name]) => name!.toLowerCase());
  return new Set(['content-type', 'location', 'retry-after', ...named].slice(0, 20));
}
