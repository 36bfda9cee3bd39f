/** What stands in a file: its columns in the order in which they were chosen, each value as it may be seen. */
import { type CsvCell, csvLine } from '#contract/csv.ts';
import { EXPORT_COLUMNS, type ExportColumn, type ExportContent, FIELD_COLUMN } from '#contract/export.ts';
import type { Reason } from '#engine/decision.ts';
import type { FieldConfig } from '#engine/plan.ts';
import { DECLINE_LABELS } from '#engine/reason-label.ts';
import type { OrganizationKeys } from '#server/kit/crypto.ts';
import { wallTime } from '#server/kit/csv-file.ts';
import type { Db } from '#server/kit/database.ts';
import { idInstant } from '#server/kit/ids.ts';
import { maskingOf } from '#server/lead/lead.view.ts';
import { money } from '#server/lead/lead-list.sql.ts';
import { isMasked, maskPersonal } from '#server/lead/mask.ts';
import { NOT_TO_BE_OPENED, openIfSound } from '#server/lead/stored-fields.ts';
import type { ExportRow } from './export-rows.sql.ts';

/** As much of a field as files know of it. */
export type ExportField = Pick<FieldConfig, 'fieldName' | 'fieldHumanName' | 'privacyClass' | 'type'>;

export async function listExportFields(db: Db, organizationId: string, verticalId: string): Promise<ExportField[]> {
  const rows = await db
    .selectFrom('field')
    .select(['field_name', 'field_human_name', 'privacy_class', 'type'])
    .where('organization_id', '=', organizationId)
    .where('vertical_id', '=', verticalId)
    .orderBy('position')
    .execute();
  return rows.map((row) => ({
    fieldName: row.field_name,
    fieldHumanName: row.field_human_name,
    privacyClass: row.privacy_class as ExportField['privacyClass'],
    type: row.type as ExportField['type'],
  }));
}

export const isFieldColumn = (column: string): boolean => column.startsWith(FIELD_COLUMN);
export const fieldNameOf = (column: string): string => column.slice(FIELD_COLUMN.length);

/** Whether a file of these columns holds persons' values as they are. */
export const showsPersons = ({ unmasked, columns }: ExportContent, fields: readonly ExportField[]): boolean =>
  unmasked && columns.filter(isFieldColumn).some((column) => isMasked(fields.find(({ fieldName }) => fieldName === fieldNameOf(column))));

const OF_ROW: Record<ExportColumn, (row: ExportRow, zone: string) => CsvCell> = {
  leadId: ({ id }) => id,
  receivedAt: ({ id }, zone) => wallTime(new Date(idInstant(id)), zone),
  endedAt: ({ endedAt }, zone) => (endedAt ? wallTime(endedAt, zone) : null),
  status: ({ status }) => status ?? 'received',
  reason: ({ reason }) => (reason === null ? null : (DECLINE_LABELS[reason as Reason] ?? reason)),
  publisher: ({ publisher }) => publisher,
  affiliateId: ({ affiliateId }) => affiliateId,
  publisherTier: ({ publisherTier }) => publisherTier,
  subId: ({ subId }) => subId,
  campaign: ({ campaign }) => campaign,
  buyer: ({ sales }) => sales.map(({ buyer }) => buyer).join('; '),
  buyerTier: ({ sales }) => sales.map(({ buyerTier }) => buyerTier).join('; '),
  price: ({ revenue }) => money(revenue),
  payout: ({ payout }) => money(payout),
  margin: ({ margin }) => money(margin),
  returnedPrice: ({ returnedPrice }) => (returnedPrice === null ? null : money(returnedPrice)),
  returnedPayout: ({ returnedPayout }) => (returnedPayout === null ? null : money(returnedPayout)),
  attempts: ({ attempts }) => attempts ?? 0,
};
const TIMES: readonly string[] = ['receivedAt', 'endedAt'];

export interface RowWriter {
  /** The line of heads; none in JSON lines. */
  head: string;
  /** `change`: whether it was sent before and is changed; undefined where a file does not tell. */
  write: (row: ExportRow, change?: 'new' | 'changed') => string;
}

export function openRowWriter(
  { columns, format, timeZone, unmasked }: ExportContent,
  fields: ExportField[],
  keys: OrganizationKeys,
  tellsChanges = false,
): RowWriter {
  const known = new Map(fields.map((field) => [field.fieldName, field]));
  const hasFields = columns.some(isFieldColumn);

  function cellsOf(row: ExportRow): CsvCell[] {
    const stored = hasFields ? openIfSound(keys, row.id, row.fields) : undefined;
    const masking = stored && !unmasked ? maskingOf(fields as FieldConfig[], stored) : undefined;
    return columns.map((column) => {
      if (!isFieldColumn(column)) return OF_ROW[column as ExportColumn](row, timeZone);
      if (!stored) return NOT_TO_BE_OPENED;
      const field = known.get(fieldNameOf(column));
      const value = stored.fields[fieldNameOf(column)] ?? '';
      if (!masking || value === '') return value;
      // An open value may be a person's all the same, such as a name that is a town's too.
      return isMasked(field) ? maskPersonal(field, value) : masking.leaf(value);
    });
  }

  const names = columns.map((column) => (isFieldColumn(column) ? fieldNameOf(column) : column));
  if (format === 'jsonl')
    return {
      head: '',
      write: (row, change) =>
        `${JSON.stringify({ ...(tellsChanges && { change }), ...Object.fromEntries(cellsOf(row).map((cell, at) => [names[at]!, cell])) })}\n`,
    };
  const heads = columns.map((column) => {
    if (isFieldColumn(column)) return known.get(fieldNameOf(column))?.fieldHumanName ?? fieldNameOf(column);
    const head = EXPORT_COLUMNS[column as ExportColumn];
    return TIMES.includes(column) ? `${head} (${timeZone})` : head;
  });
  return {
    head: csvLine(tellsChanges ? ['Change', ...heads] : heads),
    write: (row, change) => csvLine(tellsChanges ? [change ?? 'new', ...cellsOf(row)] : cellsOf(row)),
  };
}
