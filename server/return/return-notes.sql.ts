/** What people wrote beside the return of a lead: when it was given back, when that was asked for in a portal, and when it was decided. */
import { sql } from 'kysely';
import type { Db } from '#server/kit/database.ts';
import { DOTS } from '#server/lead/mask.ts';
import { markReport } from '#server/report/mark-report.sql.ts';

/** For the consumer who asks for what is held of them. `answer` is of who decided. */
export interface ReturnNote {
  writtenAt: string;
  note: string;
  answer: string;
}

/** The first one first; returns beside which nothing was written are left out. */
export async function listReturnNotes(db: Db, organizationId: string, leadId: string): Promise<ReturnNote[]> {
  const { rows } = await sql<{ at: Date; note: string; answer: string }>`
    select returned_at as at, note, '' as answer from lead_return x
      where organization_id = ${organizationId}::uuid and lead_id = ${leadId}::uuid and note <> ''
        and not exists (select from change_request q where q.organization_id = x.organization_id and q.model = 'leadReturn'
          and q.record_id = x.lead_id and q.sale_index = x.sale_index and q.status = 'approved')
    union all select uuid7_instant(id), note, answer from change_request
      where organization_id = ${organizationId}::uuid and model = 'leadReturn' and record_id = ${leadId}::uuid and (note <> '' or answer <> '')
    order by at`.execute(db);
  return rows.map(({ at, note, answer }) => ({ writtenAt: at.toISOString(), note, answer }));
}

/** All of it goes, whatever stands there: a note is about its consumer, and may name them in other words than their lead does. For a tenant's transaction. */
export async function forgetReturnNotes(db: Db, organizationId: string, leadId: string): Promise<void> {
  // First: who decides a request meanwhile makes a return of it, with its note.
  const emptied = (name: 'note' | 'answer') => sql<string>`case when ${sql.ref(name)} = '' then '' else ${DOTS} end`;
  await db
    .updateTable('change_request')
    .set({ note: emptied('note'), answer: emptied('answer') })
    .where('organization_id', '=', organizationId)
    .where('model', '=', 'leadReturn')
    .where('record_id', '=', leadId)
    .execute();
  await db
    .updateTable('lead_return')
    .set({ note: DOTS })
    .where('organization_id', '=', organizationId)
    .where('lead_id', '=', leadId)
    .where('note', '<>', '')
    .execute();
  await markReport(db, organizationId, [leadId]);
  await sql`select forget_return_notes(${leadId}::uuid)`.execute(db);
}
