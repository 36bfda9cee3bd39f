/** Moments and spans in answers: until when a bid holds, how long to leave a buyer alone. */
import { Temporal } from 'temporal-polyfill';
import type { TimeRule } from '#contract/endpoint.ts';
import type { Instant } from '#engine/plan.ts';
import { plainDecimal } from './read-price.ts';

/** The instant `text` means, or undefined; spans count from `now`. Beyond a year it is not believed. */
export function readTime(text: string, rule: Omit<TimeRule, 'at'>, now: Instant): Instant | undefined {
  const at = instantOf(text.trim(), rule, now);
  return at === undefined || !Number.isFinite(at) || Math.abs(at - now) > 366 * 86_400_000 ? undefined : Math.round(at);
}

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** The header Retry-After: seconds from `now`, or a date as HTTP writes it. */
export function readRetryAfter(header: string | undefined, now: Instant): Instant | undefined {
  const text = header?.trim() ?? '';
  if (HTTP_DATE.test(text)) {
    const at = Date.parse(text);
    return Number.isNaN(at) ? undefined : at;
  }
  return /^\d+(?:\.\d+)?$/.test(text) ? readTime(text, { unit: 'seconds' }, now) : undefined;
}

function instantOf(text: string, rule: Omit<TimeRule, 'at'>, now: Instant): number | undefined {
  if (rule.unit === 'iso') return isoInstant(text, rule.timeZone ?? 'UTC');
  const decimal = plainDecimal(text, '.');
  if (decimal === undefined) return undefined;
  const amount = Number(decimal);
  if (rule.unit === 'epoch') return amount < 1e11 ? amount * 1000 : amount;
  return now + amount * (rule.unit === 'minutes' ? 60_000 : 1000);
}

/** '2026-05-01T10:00:00Z', with an offset, or without one in the rule's zone; a blank may stand for the T. */
function isoInstant(text: string, timeZone: string): number | undefined {
  const iso = text.replace(/^(\d{4}-\d{2}-\d{2})\s+/, '$1T');
  try {
    if (/(?:z|[+-]\d{2}:?\d{2})$/i.test(iso)) return Temporal.Instant.from(iso).epochMilliseconds;
    return Temporal.PlainDateTime.from(iso).toZonedDateTime(timeZone).epochMilliseconds;
  } catch {
    return undefined;
  }
}
