/** Answers as a publisher gets them, one for each status. */
import type { PostingAnswer } from '#contract/posting.ts';
import { renderXml } from '#server/lead/posting.answer.ts';
import type { PostingSpec } from './describe-posting.ts';

export interface AnswerExample {
  title: string;
  statusCode: number;
  answer: PostingAnswer;
}

const LEAD_ID = '019ac5a2-4c10-7bb3-9d1e-5f0c2a7e8b91';

/** `bidUntil`: an instant in the near future. */
export function answerExamples(
  spec: Pick<PostingSpec, 'isTerse' | 'currency' | 'origin' | 'fields' | 'maxSales'>,
  bidUntil: Date,
): AnswerExample[] {
  const { isTerse, currency, origin, fields, maxSales } = spec;
  const told = (reason: string, msg: string): Partial<PostingAnswer> => (isTerse ? {} : { reason, msg });
  const wrong = fields.find(({ isRequired }) => isRequired) ?? fields[0];
  const expiresAt = bidUntil.toISOString();
  const bids = ['12.50', '9.00'].map((price) => ({ price, expiresAt }));
  const id = { leadId: LEAD_ID, elapsedMs: 412 };
  return [
    {
      title: 'Sold',
      statusCode: 200,
      answer: {
        ...{ status: 'accepted', code: 'lead_sold', ...(!isTerse && { price: '12.50', currency }) },
        ...{ redirectUrl: `${origin}/r/…`, ...id },
      },
    },
    {
      title: 'A bid for a ping',
      statusCode: 200,
      answer: {
        ...{ status: 'accepted', code: 'ping_bid', price: '12.50', currency, expiresAt, ...(maxSales > 1 && !isTerse && { bids }) },
        ...{ pingId: LEAD_ID, elapsedMs: 187 },
      },
    },
    {
      title: 'Nobody bought',
      statusCode: 200,
      answer: { status: 'rejected', code: 'lead_unsold', ...told('buyer-all-tier-failed', 'No buyer took the lead.'), ...id },
    },
    {
      title: 'Duplicate',
      statusCode: 200,
      answer: {
        ...{ status: 'duplicate', code: 'lead_duplicate' },
        ...told('publisher-tier-lead-duplicate-failed', 'This consumer came before, within the duplicate window.'),
        ...id,
      },
    },
    {
      title: 'Invalid fields',
      statusCode: 422,
      answer: {
        ...{
          status: 'invalid',
          code: 'lead_invalid',
          ...told('publisher-validation-failed', 'The lead was refused: a field is missing or wrong.'),
        },
        ...(wrong && { errors: [{ field: wrong.name, message: `${wrong.label} is required` }] }),
        ...id,
      },
    },
    { title: 'A buyer has not decided yet', statusCode: 202, answer: { status: 'queued', code: 'lead_held', ...id } },
    {
      title: 'Not now',
      statusCode: 429,
      answer: { status: 'error', code: 'node_busy', msg: 'Too many leads are under way. Try again in a second.', retry_after: 1 },
    },
  ];
}

export const asXml = ({ answer }: AnswerExample): string => renderXml(answer).replaceAll('><', '>\n<');
