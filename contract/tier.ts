/** Rules that publisher tiers, buyer tiers and buyers are made of, as the console and the generic data calls write them. Money is a decimal text. */
import { z } from 'zod';

/** Account §9: notes and other free text. */
export const TEXT_LIMIT = 500;
export const note = z.string().max(TEXT_LIMIT);
/** Addresses and ranges that one publisher tier may post from. */
export const IP_RANGES_MOST = 100;
/** Options of a field, and characters of one. */
export const FIELD_OPTIONS = { most: 500, longest: 200 } as const;
/** Console §5: at most 9 digits before the point and 4 after it; amounts are never negative here. */
export const amountText = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,4})?$/, 'must be an amount with at most 9 digits before the point and 4 after it');
const percent = z.number().min(0).max(100);
/** Where hours, caps and pause dates begin their day: a place of the IANA list, as both this machine and the database know it; no bare offset, whose sign they read differently. */
export const timeZoneName = z.string().max(60).refine(isKnownZone, 'must be a time zone such as America/New_York');
const localDay = z.iso.date();
const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/, 'must be a time such as 08:30');

const PLACE =
  /^(UTC|GMT|(Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Canada|Etc|Europe|Indian|Pacific|US)\/[A-Za-z0-9_+/-]+)$/;

function isKnownZone(name: string): boolean {
  if (!PLACE.test(name) || name === 'US/Pacific-New') return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

export const activeStatus = z.enum(['active', 'paused']);

/** How leads come to a publisher tier: posted with its keys, or sent by the landers of cards, and by nothing else. */
export const publisherTierKind = z.enum(['api', 'lander']);
export type PublisherTierKind = z.infer<typeof publisherTierKind>;

export const cap = z.discriminatedUnion('measure', [
  z.strictObject({
    measure: z.enum(['sold', 'sent']),
    period: z.enum(['hour', 'day', 'week', 'month', 'overall']),
    limit: z.int().min(0).max(1_000_000_000),
    timeZone: timeZoneName,
  }),
  z.strictObject({
    measure: z.literal('money'),
    period: z.enum(['hour', 'day', 'week', 'month', 'overall']),
    limit: amountText,
    timeZone: timeZoneName,
  }),
]);
export type Cap = z.infer<typeof cap>;
export const caps = z.array(cap).max(20);

const span = z.strictObject({ from: clock, to: clock }).refine(({ from, to }) => from < to, 'must end after it begins');
const day = z.array(span).max(12);
/** Monday first; a day without spans is closed. */
export const hours = z.strictObject({ timeZone: timeZoneName, week: z.tuple([day, day, day, day, day, day, day]) });
export type HoursRule = z.infer<typeof hours>;

export const pauseDates = z.strictObject({
  timeZone: timeZoneName,
  days: z
    .array(
      z
        .strictObject({ from: localDay, to: localDay, note: z.string().max(200).optional() })
        .refine(({ from, to }) => from <= to, 'must not end before it begins'),
    )
    .max(400),
});
export type PauseDatesRule = z.infer<typeof pauseDates>;

const fieldName = z.string().min(1).max(63);
const text = z.string().max(1000);
const operand = z.union([text, z.number()]);
/** Values that one condition of "is one of" may hold. */
export const FILTER_VALUES_MOST = 10_000;
const listed = z.union([z.string().max(TEXT_LIMIT, `must have at most ${TEXT_LIMIT} characters`), z.number()]);
export const filterLeaf = z.discriminatedUnion('is', [
  z.strictObject({ field: fieldName, is: z.enum(['equal', 'notEqual']), value: z.union([text, z.number(), z.boolean()]) }),
  z.strictObject({ field: fieldName, is: z.enum(['in', 'notIn']), value: z.array(listed).min(1).max(FILTER_VALUES_MOST) }),
  z.strictObject({ field: fieldName, is: z.literal('between'), value: z.tuple([operand, operand]) }),
  z.strictObject({ field: fieldName, is: z.enum(['atLeast', 'atMost', 'moreThan', 'lessThan']), value: operand }),
  z.strictObject({ field: fieldName, is: z.enum(['contains', 'startsWith', 'endsWith', 'matches']), value: text.min(1) }),
  z.strictObject({ field: fieldName, is: z.enum(['present', 'absent']) }),
]);
export type FilterLeafRule = z.infer<typeof filterLeaf>;
export type FilterRule = { all: FilterRule[] } | { any: FilterRule[] } | { not: FilterRule } | FilterLeafRule;

const DEEPEST = 8;
/** As it is told: of itself, however deep. */
export const filterNode: z.ZodType<FilterRule> = z
  .union([
    z.strictObject({ all: z.array(z.lazy(() => filterNode)).max(100) }),
    z.strictObject({ any: z.array(z.lazy(() => filterNode)).max(100) }),
    z.strictObject({ not: z.lazy(() => filterNode) }),
    filterLeaf,
  ])
  .describe(`Nested at most ${DEEPEST} deep.`);
/** Judged before anything else of it is read: what comes may be nested deeper than the stack. */
function isShallow(node: unknown, levels = DEEPEST): boolean {
  const { all, any, not } = (node ?? {}) as { all?: unknown; any?: unknown; not?: unknown };
  const inner = [all, any, not].flat().filter((one) => one !== undefined);
  return inner.length === 0 || (levels > 0 && inner.every((one) => isShallow(one, levels - 1)));
}
export const filter = z
  .unknown()
  .refine((node) => isShallow(node), `must be nested at most ${DEEPEST} deep`)
  .pipe(filterNode);

export const duplicateRule = z.strictObject({
  fields: z.array(fieldName).min(1).max(10),
  match: z.enum(['any', 'all']),
  windowDays: z.number().gt(0).max(3650),
  counts: z.enum(['received', 'sold']),
});
export type DuplicateRuleView = z.infer<typeof duplicateRule>;

/** Ids of suppression lists, each once. */
export const suppressionLists = z
  .array(z.uuid())
  .max(20)
  .refine((ids) => new Set(ids).size === ids.length, 'must name each list once');

export const priceModel = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('fixed'), price: amountText }),
  z.strictObject({ kind: z.literal('minimum'), price: amountText }),
  z.strictObject({ kind: z.literal('share'), sharePercent: percent }),
]);
export type PriceModelView = z.infer<typeof priceModel>;

/** Pauses a buyer tier that keeps failing, and tries it again with single leads. */
export const breaker = z.strictObject({
  failurePercent: z.int().min(1).max(100),
  minimumCalls: z.int().min(1).max(10_000).default(10),
  lookBackMinutes: z.int().min(1).max(1440),
  pauseMinutes: z.int().min(1).max(1440),
});
export type BreakerView = z.infer<typeof breaker>;

/** Gives a buyer tier a share of its leads only while it is slow or fails. */
export const throttle = z
  .strictObject({
    sharePercent: z.int().min(1).max(99),
    failurePercent: z.int().min(1).max(100).optional(),
    slow: z.strictObject({ afterMs: z.int().min(1).max(300_000), percent: z.int().min(1).max(100) }).optional(),
    minimumCalls: z.int().min(1).max(10_000).default(10),
    lookBackMinutes: z.int().min(1).max(1440),
  })
  .refine(
    ({ failurePercent, slow }) => failurePercent !== undefined || slow !== undefined,
    'must look at failures, at slow answers, or at both',
  );
export type ThrottleView = z.infer<typeof throttle>;

/** What began the throttle that holds now. Told of a buyer tier as `throttleState`, else null. */
export interface ThrottleStateView {
  since: string;
  calls: number;
  failures: number;
  slow: number;
  lookBackMinutes: number;
}

/** A breaker that is not closed: open until `openUntil`, half-open from then on. Told of a buyer tier as `breakerState`, else null. */
export interface BreakerStateView {
  since: string;
  openUntil: string;
  calls: number;
  failures: number;
  lookBackMinutes: number;
  failedProbes: number;
}

export const tierPrice = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('fixed'), price: amountText }),
  z.strictObject({ kind: z.literal('bid'), minimum: amountText.optional() }),
]);
export type TierPriceView = z.infer<typeof tierPrice>;

export const margin = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('fixed'), amount: amountText }),
  z.strictObject({ kind: z.literal('percent'), percent }),
]);
export type MarginView = z.infer<typeof margin>;

/** An address or a range of them, as posting keys are bound to. */
export const ipRange = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], {
  error: ({ input }) => `"${String(input).slice(0, 60)}" is no IP address or range; write 203.0.113.7 or 203.0.113.0/24.`,
});
export const ipRanges = z.array(ipRange).max(IP_RANGES_MOST, `must be at most ${IP_RANGES_MOST}`);

export const testValues = z.strictObject({
  field: fieldName,
  sold: text.optional(),
  rejected: text.optional(),
  timeout: text.optional(),
  error: text.optional(),
});
