/** What a file is to hold must be there: columns of the vertical, and what it is narrowed by in the organization. */
import type { ExportContent } from '#contract/export.ts';
import { HttpError } from '#server/kit/http-error.ts';
import type { Tx } from '#server/record/record-model.ts';
import { fieldNameOf, isFieldColumn, listExportFields, showsPersons } from './export-columns.ts';

/** Whether persons' values stand in it as they are. What it names must be of the vertical. */
export async function requireContent(tx: Tx, organizationId: string, verticalId: string, content: ExportContent): Promise<boolean> {
  const fields = await listExportFields(tx, organizationId, verticalId);
  const unknown = content.columns.filter(isFieldColumn).find((one) => !fields.some(({ fieldName }) => fieldName === fieldNameOf(one)));
  if (unknown)
    throw new HttpError(
      400,
      'export_column_unknown',
      `The vertical has no field ${fieldNameOf(unknown)}. Load the page again and choose anew.`,
      {
        errors: [{ field: 'content.columns', message: `has no field ${fieldNameOf(unknown)}` }],
      },
    );
  const named = [
    ['publisher', content.publisherId],
    ['publisher_tier', content.publisherTierId],
    ['buyer', content.buyerId],
    ['buyer_tier', content.buyerTierId],
    ['campaign', content.campaignId],
  ] as const;
  for (const [table, id] of named) {
    if (id === null) continue;
    const row = await tx
      .selectFrom(table)
      .select('id')
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .executeTakeFirst();
    if (!row)
      throw new HttpError(
        404,
        'export_filter_unknown',
        `There is no such ${table.replace('_', ' ')} in your organization. Choose another.`,
      );
  }
  return showsPersons(content, fields);
}
