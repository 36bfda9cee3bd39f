/** Takes out of leads and refused calls what their vertical keeps no longer: a few at a time, oldest first, and one node at a time for each vertical. */

import type { Selectable } from 'kysely';
import type { Retention } from '#db/types.ts';
import { type ChangeRow, insertChange } from '#server/change-log/change-log.sql.ts';
import { emptyWires, eraseCall, eraseLead } from '#server/data-request/erase-lead.ts';
import { erasedFields } from '#server/data-request/vertical-place.ts';
import { Unreadable } from '#server/kit/crypto.ts';
import type { Db } from '#server/kit/database.ts';
import { inTenant } from '#server/kit/tenant.ts';
import type { OrganizationPlan, PlanBook } from '#server/plan/plan-book.ts';
import type { Tx } from '#server/record/record-model.ts';
import { callDays, keptFrom, listDue, listDueCalls, type RetentionRule, takenBy } from './retention.sql.ts';

/** A transaction takes so many: the row of the vertical is locked no longer, and a node that dies loses no more. */
const LEADS_OF_A_STEP = 25;
const CALLS_OF_A_STEP = 250;
/** The sweeper has other things to do; it comes back every minute. */
const RUN_MS = 20_000;

/** Goes on where the last run ended. Returns how many leads and calls lost something. For the installation's own role. */
export async function applyRetention(db: Db, planBook: Pick<PlanBook, 'find'>, now: number, runMs = RUN_MS): Promise<number> {
  const until = performance.now() + runMs;
  const rows = await db
    .selectFrom('retention')
    .select(['organization_id', 'id'])
    .where('on_hold', '=', false)
    .where((where) =>
      where.or([where('unsold_days', 'is not', null), where('sold_days', 'is not', null), where('wire_days', 'is not', null)]),
    )
    // Whoever had its turn longest ago is the first.
    .orderBy('ran_at', (order) => order.asc().nullsFirst())
    .execute();
  let taken = 0;
  const failures: unknown[] = [];
  for (const { organization_id, id } of rows) {
    const organization = planBook.find(organization_id);
    if (!organization) continue;
    try {
      while (performance.now() < until) {
        const step = await takeStep(db, organization, id, now);
        if (step === undefined) break;
        taken += step;
      }
    } catch (error) {
      // What goes wrong in one vertical keeps no other.
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `The rules of keeping of ${failures.length} verticals could not be applied.`);
  return taken;
}

/**
 * How many leads or calls lost something; undefined when nothing is due any more, or another node is at it. Where some lead of a step cannot be read, the
 * step is done one by one, and that lead is passed by and told: it must not keep all that are younger. What the database refuses is tried again
 * with the next run.
 */
async function takeStep(db: Db, organization: OrganizationPlan, id: string, now: number): Promise<number | undefined> {
  const take = (most: number, passBy = false) =>
    inTenant(db, organization.organizationId, (tx) => takeSome(tx, organization, id, now, most, passBy));
  try {
    return await take(LEADS_OF_A_STEP);
  } catch (error) {
    requireLeadsFault(error);
    let taken = 0;
    for (let at = 0; at < LEADS_OF_A_STEP; at++) {
      const one = await take(1).catch((reason) => {
        requireLeadsFault(reason);
        return take(1, true);
      });
      if (one === undefined) return at === 0 ? undefined : taken;
      taken += one;
    }
    return taken;
  }
}

function requireLeadsFault(error: unknown): void {
  if (!(error instanceof Unreadable || error instanceof TypeError || error instanceof RangeError)) throw error;
}

async function takeSome(
  tx: Tx,
  organization: OrganizationPlan,
  id: string,
  now: number,
  most: number,
  passBy: boolean,
): Promise<number | undefined> {
  const { organizationId } = organization;
  const row = await tx
    .selectFrom('retention')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (!row || row.on_hold) return undefined;
  const rules = [
    { rule: 'unsold', column: 'unsold_after', days: row.unsold_days },
    { rule: 'sold', column: 'sold_after', days: row.sold_days },
    { rule: 'wires', column: 'wires_after', days: row.wire_days },
  ] as const;
  const untold = row.untold as Untold;
  for (const { rule, column, days } of rules) {
    const before = keptFrom(days, now);
    if (before === undefined) continue;
    const due = await listDue(tx, { organizationId, verticalId: row.vertical_id, after: row[column], before }, most);
    if (due.length === 0) continue;
    const wanted = passBy ? [] : takenBy(rule, due);
    const erased = await applyRule(tx, organization, rule, wanted, now);
    const told = passBy ? 'passedBy' : rule === 'wires' ? 'emptied' : 'erased';
    await tx
      .updateTable('retention')
      .set({
        [column]: due.at(-1)!.id,
        ran_at: new Date(now),
        untold: JSON.stringify({ ...untold, [told]: (untold[told] ?? 0) + (passBy ? due.length : erased) }),
      })
      .set((set) =>
        rule === 'wires' ? { emptied_leads: set('emptied_leads', '+', erased) } : { erased_leads: set('erased_leads', '+', erased) },
      )
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .execute();
    return erased;
  }
  const calls = await emptyCalls(tx, organization, row, now);
  if (calls > 0) return calls;
  await tell(tx, organizationId, row.vertical_id, id, untold, {
    unsoldDays: row.unsold_days,
    soldDays: row.sold_days,
    wireDays: row.wire_days,
  });
  await tx
    .updateTable('retention')
    .set({ ran_at: new Date(now), untold: '{}' })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
  return undefined;
}

/** Once all are looked at the place is where they end: calls of other verticals are not gone through again and again. */
async function emptyCalls(tx: Tx, { organizationId, keys }: OrganizationPlan, row: Selectable<Retention>, now: number): Promise<number> {
  const before = keptFrom(callDays(row.unsold_days, row.wire_days), now);
  if (before === undefined || row.calls_after >= before) return 0;
  const due = await listDueCalls(tx, { organizationId, verticalId: row.vertical_id, after: row.calls_after, before }, CALLS_OF_A_STEP);
  for (const { id } of due) await eraseCall(tx, keys, id);
  const untold = row.untold as Untold;
  await tx
    .updateTable('retention')
    .set((set) => ({
      calls_after: due.length === CALLS_OF_A_STEP ? due.at(-1)!.id : before,
      emptied_calls: set('emptied_calls', '+', due.length),
      ...(due.length > 0 && { ran_at: new Date(now), untold: JSON.stringify({ ...untold, refused: (untold.refused ?? 0) + due.length }) }),
    }))
    .where('organization_id', '=', organizationId)
    .where('id', '=', row.id)
    .execute();
  return due.length;
}

async function applyRule(
  tx: Tx,
  { organizationId, keys }: OrganizationPlan,
  rule: RetentionRule,
  due: { id: string }[],
  now: number,
): Promise<number> {
  let taken = 0;
  const fieldsOf = erasedFields(tx, organizationId);
  for (const { id } of due) {
    if (rule === 'wires') taken += (await emptyWires(tx, keys, id)) ? 1 : 0;
    else taken += (await eraseLead(tx, keys, id, fieldsOf, { at: new Date(now), why: 'retention' })).leads ?? 0;
  }
  return taken;
}

/** Counted since the change log was last told. */
type Untold = { erased?: number; emptied?: number; refused?: number; passedBy?: number };

/** One line for a day's leads and calls of a vertical. */
async function tell(
  tx: Tx,
  organizationId: string,
  verticalId: string,
  id: string,
  { erased = 0, emptied = 0, refused = 0, passedBy = 0 }: Untold,
  days: Record<string, number | null>,
): Promise<void> {
  if (erased + emptied + refused + passedBy === 0) return;
  const vertical = await tx
    .selectFrom('vertical')
    .select('name')
    .where('organization_id', '=', organizationId)
    .where('id', '=', verticalId)
    .executeTakeFirstOrThrow();
  const changer = { organizationId, userId: organizationId, firstName: 'Rules of keeping', lastName: '', email: '' };
  const change: ChangeRow = {
    ...{ address: '', model: 'keptNoLonger', recordId: id, recordName: vertical.name, action: 'erase' },
    ...{ before: {}, rollsBack: null },
    after: {
      ...(erased > 0 && { leads: erased }),
      ...(emptied > 0 && { calls: emptied }),
      ...(refused > 0 && { refusedCalls: refused }),
      ...(passedBy > 0 && { couldNotBeRead: passedBy }),
      ...days,
    },
  };
  await insertChange(tx, changer, change);
}
