import type { Db } from '#server/kit/database.ts';

/** A processor as nodes know it, to let its reports in without asking the database. */
export interface ProcessorSeat {
  id: string;
  verticalId: string;
  name: string;
  isPaused: boolean;
  postbackEpoch: number;
}

export async function listProcessorSeats(db: Db, organizationId: string): Promise<ProcessorSeat[]> {
  const rows = await db
    .selectFrom('payment_processor')
    .select(['id', 'vertical_id', 'name', 'status', 'postback_epoch'])
    .where('organization_id', '=', organizationId)
    .where('status', '<>', 'archived')
    .execute();
  return rows.map((row) => ({
    ...{ id: row.id, verticalId: row.vertical_id, name: row.name },
    ...{ isPaused: row.status === 'paused', postbackEpoch: row.postback_epoch },
  }));
}
