/** A sample as it is typed: every part a text, an empty one judged by nothing. */
import type { SampleAnswer, SampleExpected } from '#contract/answer-sample.ts';
import { readHeaders } from './answer-rules.ts';

export interface SampleDraft {
  name: string;
  outcome: string;
  price: string;
  reason: string;
  redirectUrl: string;
  statusCode: number | '';
  headerText: string;
  body: string;
}

export function toSampleDraft(name: string, answer: SampleAnswer, expected: SampleExpected): SampleDraft {
  return {
    name,
    ...toExpectedDraft(expected),
    statusCode: answer.statusCode,
    headerText: Object.entries(answer.headers)
      .map(([header, value]) => `${header}: ${value}`)
      .join('\n'),
    body: answer.body,
  };
}

export const toExpectedDraft = ({ outcome, price, reason, redirectUrl }: SampleExpected) => ({
  outcome: outcome as string,
  price: price ?? '',
  reason: reason ?? '',
  redirectUrl: redirectUrl ?? '',
});

export function toExpected({ outcome, price, reason, redirectUrl }: SampleDraft): SampleExpected {
  return {
    outcome: outcome as SampleExpected['outcome'],
    ...(price.trim() && { price: price.trim() }),
    ...(reason.trim() && { reason: reason.trim() }),
    ...(redirectUrl.trim() && { redirectUrl: redirectUrl.trim() }),
  };
}

export const toAnswer = ({ statusCode, headerText, body }: SampleDraft): SampleAnswer => ({
  statusCode: statusCode || 200,
  headers: readHeaders(headerText),
  body,
});

/** 'Accepted 12.50': a name to begin with, from what is read. */
export const sampleTitle = (word: string, { price, reason }: SampleExpected): string =>
  [word, price ?? reason].filter(Boolean).join(' ').slice(0, 120);
