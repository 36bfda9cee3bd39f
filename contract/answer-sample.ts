/** Samples: answers of a buyer that are kept with what they must be read as, so that a changed endpoint cannot misread them unnoticed. */
import { z } from 'zod';
import { answerOutcome } from './endpoint.ts';
import { amountText } from './tier.ts';

/** Of one buyer tier. */
export const SAMPLES_MOST = 20;
/** Of the body of one. */
export const SAMPLE_LETTERS = 50_000;

export const sampleLeg = z.enum(['ping', 'post']);
export const sampleName = z.string().min(1, 'is required').max(120);

/** Only the headers that the answer is read by. */
export const sampleAnswer = z.strictObject({
  statusCode: z.int().min(100).max(599),
  headers: z
    .record(z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/), z.string().max(4000))
    .refine((headers) => Object.keys(headers).length <= 20, 'must be at most 20'),
  body: z.string().max(SAMPLE_LETTERS),
});
export type SampleAnswer = z.infer<typeof sampleAnswer>;

/** What is left out may be read as anything. */
export const sampleExpected = z.strictObject({
  outcome: answerOutcome,
  price: amountText.optional(),
  /** One of the reasons that are read. */
  reason: z.string().min(1).max(300).optional(),
  redirectUrl: z.string().min(1).max(2000).optional(),
});
export type SampleExpected = z.infer<typeof sampleExpected>;

/** A record of the model `answerSample`. */
export interface SampleView {
  _id: string;
  version: number;
  buyerTierId: string;
  name: string;
  leg: z.infer<typeof sampleLeg>;
  answer: SampleAnswer;
  expected: SampleExpected;
}

/** An endpoint as it is being written, and the samples it is to read. */
export const judgeSamplesBody = z.strictObject({
  endpoint: z.unknown(),
  samples: z.array(z.strictObject({ leg: sampleLeg, answer: sampleAnswer, expected: sampleExpected })).max(SAMPLES_MOST),
});
/** `read`: what the answer is read as now; null where the endpoint has no such call. */
const judgement = z.object({ differences: z.array(z.string()), read: sampleExpected.nullable() });
export type SampleJudgement = z.infer<typeof judgement>;
export const judgeSamplesAnswer = z.object({ status: z.literal(true), judgements: z.array(judgement) });

/** The answer to one attempt, masked, and what the tier's endpoint reads in it. */
export const attemptSampleAnswer = z.object({
  status: z.literal(true),
  leg: sampleLeg,
  answer: sampleAnswer,
  expected: sampleExpected,
});
export type AttemptSample = Omit<z.infer<typeof attemptSampleAnswer>, 'status'>;
export const keepAttemptBody = z.strictObject({ name: sampleName, expected: sampleExpected });
export const keepAttemptAnswer = z.object({ status: z.literal(true), msg: z.string() });
