import { formatMoney } from '#engine/money.ts';
import { type Changer, insertChange } from '#server/change-log/change-log.sql.ts';
import type { Db } from '#server/kit/database.ts';
import type { ReturnRow } from './return.sql.ts';

/** A return stands in the change log, whoever asked for it: a person, or a buyer with its key. */
export async function logReturn(tx: Db, changer: Changer, address: string, row: ReturnRow, askedBy?: string): Promise<void> {
  const [revenue, payout, margin] = [row.revenue, row.payout, row.margin].map(formatMoney);
  await insertChange(tx, changer, {
    address,
    model: 'leadReturn',
    recordId: row.leadId,
    recordName: `Lead ${row.leadId}`,
    action: 'add',
    before: {},
    after: { reason: row.reason, note: row.note, revenue, payout, margin, via: row.via },
    rollsBack: null,
    ...(askedBy !== undefined && { askedBy }),
  });
}
