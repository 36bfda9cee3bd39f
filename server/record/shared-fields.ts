/** Fields that many models have, declared once. */
import { z } from 'zod';
import { isPlainLine } from '#contract/person-name.ts';
import { activeStatus, caps, duplicateRule, filter, hours, note, pauseDates, suppressionLists } from '#contract/tier.ts';
import { formatMoney, parseMoney } from '#engine/money.ts';
import { money } from '#server/lead/lead-list.sql.ts';
import type { RecordField } from './record-model.ts';

export const lineOf = (most: number) =>
  z
    .string()
    .min(1, 'is required')
    .max(most)
    .refine((text) => isPlainLine(text), 'must be one line of text without a link');
export const optionalLine = (most: number) =>
  z
    .string()
    .max(most)
    .refine((text) => isPlainLine(text), 'must be one line of text without a link');

export const name: RecordField = { column: 'name', write: lineOf(120), required: true };
export const status: RecordField = { column: 'status', write: activeStatus };
export const notes: RecordField = { column: 'notes', write: note };
export const version: RecordField = { column: 'version', kind: 'number' };
export const updatedAt: RecordField = { column: 'updated_at', kind: 'time' };

/** An exact amount in a numeric column, told with two to four decimals. */
export const amount = (column: string, write: z.ZodType): RecordField => ({
  column,
  kind: 'amount',
  write,
  read: (stored: string | null) => (stored === null ? null : money(stored)),
});

const toMoney = (text: string): number => parseMoney(text) ?? 0;

/** Rules hold money as whole ten-thousandths; people and calls write decimals. */
type Stored = Record<string, unknown>;
const swap = (keys: string[], to: (value: never) => unknown) => (rule: Stored | null) =>
  rule && Object.fromEntries(Object.entries(rule).map(([key, value]) => [key, keys.includes(key) ? to(value as never) : value]));
export const storeMoneyOf = (...keys: string[]) => swap(keys, toMoney);
export const readMoneyOf = (...keys: string[]) => swap(keys, formatMoney);

const storeCap = (cap: Stored) => (cap.measure === 'money' ? { ...cap, limit: toMoney(cap.limit as string) } : cap);
const readCap = (cap: Stored) => (cap.measure === 'money' ? { ...cap, limit: formatMoney(cap.limit as number) } : cap);
export const capsField: RecordField = {
  column: 'caps',
  kind: 'json',
  write: caps,
  store: (list: Stored[]) => list.map(storeCap),
  read: (list: Stored[]) => list.map(readCap),
  csv: (list: Stored[]) => list.length,
};

export const ruleFields = {
  filter: { column: 'filter', kind: 'json', write: filter.nullable() },
  hours: { column: 'hours', kind: 'json', write: hours.nullable() },
  pauseDates: { column: 'pause_dates', kind: 'json', write: pauseDates.nullable() },
  caps: capsField,
  duplicate: { column: 'duplicate', kind: 'json', write: duplicateRule.nullable() },
  suppressionLists: { column: 'suppression_lists', kind: 'texts', write: suppressionLists },
} satisfies Record<string, RecordField>;
