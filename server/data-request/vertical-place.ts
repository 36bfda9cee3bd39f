/** What of a vertical tells where the person of a lead stands: its fields, and those that leads are found by. */
import type { FieldConfig, VerticalConfig } from '#engine/plan.ts';
import { findVertical } from '#server/plan/configuration.sql.ts';
import type { Tx } from '#server/record/record-model.ts';

export interface VerticalPlace {
  config: VerticalConfig;
  searchable: string[];
}

export async function findPlace(tx: Tx, organizationId: string, verticalId: string): Promise<VerticalPlace | undefined> {
  const config = await findVertical(tx, organizationId, verticalId);
  const rows = await tx
    .selectFrom('field')
    .select('field_name')
    .where('organization_id', '=', organizationId)
    .where('vertical_id', '=', verticalId)
    .where('searchable', '=', true)
    .execute();
  return config && { config, searchable: rows.map(({ field_name }) => field_name) };
}

/** For `eraseLead`: each vertical is read once. */
export const erasedFields = (tx: Tx, organizationId: string): ((verticalId: string) => Promise<FieldConfig[]>) =>
  remembered(async (verticalId) => (await findVertical(tx, organizationId, verticalId))?.fields ?? []);

/** One answer for each vertical. */
export function remembered<Answer>(ask: (verticalId: string) => Promise<Answer>): (verticalId: string) => Promise<Answer> {
  const known = new Map<string, Promise<Answer>>();
  return (verticalId) => {
    const answer = known.get(verticalId) ?? ask(verticalId);
    known.set(verticalId, answer);
    return answer;
  };
}
