/**
 * What a node did for a lead that another took from it and ended, and of which somebody has settled a part since: its calls are kept behind those that are
 * known, so that nobody has the lead without its being on record. A buyer that took it, or may have, is held to be settled; the places of its post stay taken.
 * An answer that was not known is filled in; where the buyer was settled otherwise than it says, that stands, and the change log tells of it.
 */
import { sql } from 'kysely';
import { insertChange } from '#server/change-log/change-log.sql.ts';
import type { Db } from '#server/kit/database.ts';
import { inTenant } from '#server/kit/tenant.ts';
import { markReport } from '#server/report/mark-report.sql.ts';
import type { AttemptRow, ResultRow } from './lead.sql.ts';

export function keepAfterwards(db: Db, organizationId: string, row: ResultRow): Promise<void> {
  const { leadId } = row;
  return inTenant(db, organizationId, async (tx) => {
    // Settlements of the lead wait, and come after or before all of this.
    await sql`select from lead_result where organization_id = ${organizationId} and lead_id = ${leadId} for update`.execute(tx);
    await giveBackRises(tx, organizationId, leadId);
    const known = await tx
      .selectFrom('attempt')
      .select(['attempt_index', 'buyer_tier_id', 'leg', 'answer'])
      .where('organization_id', '=', organizationId)
      .where('lead_id', '=', leadId)
      .execute();
    const knownOf = ({ buyerTierId, leg }: AttemptRow) => known.find((one) => one.buyer_tier_id === buyerTierId && one.leg === leg);
    const attempts = row.attempts.filter((attempt) => !knownOf(attempt));
    const answered = row.attempts.filter((attempt) => knownOf(attempt)?.answer === 'unknown');
    if (attempts.length + answered.length === 0) return;
    await markReport(tx, organizationId, [leadId]);
    for (const attempt of answered) await fillIn(tx, organizationId, row, attempt, knownOf(attempt)!.attempt_index);
    if (attempts.length === 0) return;
    const next = Math.max(-1, ...known.map(({ attempt_index }) => attempt_index)) + 1;
    await tx
      .insertInto('attempt')
      .values(attempts.map((attempt, at) => rowOf(organizationId, row, attempt, next + at)))
      .execute();
    for (const { buyerTierId, outcome, leg } of attempts)
      if (
        leg === 'post' &&
        (outcome === 'sold' || row.unknown.includes(buyerTierId)) &&
        !(await settlementOf(tx, organizationId, leadId, buyerTierId))
      )
        await hold(tx, organizationId, leadId, buyerTierId);
  });
}

/** What this node asked for on top of a post after that was settled: nobody is to pay it. Counters are locked in the order of every batch. */
async function giveBackRises(tx: Db, organizationId: string, leadId: string): Promise<void> {
  const { rows } = await sql<{ counter: string; amount: number }>`
    with gone as (delete from reservation v where v.organization_id = ${organizationId} and v.lead_id = ${leadId} and v.purpose in ('raise', 'promotion')
      and exists (select from settlement s where s.organization_id = v.organization_id and s.lead_id = v.lead_id and s.buyer_tier_id = v.subject_id)
      returning claims)
    select claim ->> 0 as counter, sum((claim ->> 1)::bigint)::int8 as amount from gone cross join lateral jsonb_array_elements(claims) claim
      group by 1 order by 1`.execute(tx);
  for (const { counter, amount } of rows)
    await sql`update counter set used = greatest(0, used - ${amount}) where organization_id = ${organizationId} and counter = ${counter}`.execute(
      tx,
    );
}

/** What was settled is no more touched than its figures: a sale keeps its price. */
async function fillIn(tx: Db, organizationId: string, row: ResultRow, attempt: AttemptRow, index: number): Promise<void> {
  const { organization_id, lead_id, attempt_index, outcome, price, ...heard } = rowOf(organizationId, row, attempt, index);
  const settled = await settlementOf(tx, organizationId, lead_id, attempt.buyerTierId);
  await tx
    .updateTable('attempt')
    .set({ ...heard, ...(!settled && { outcome, price }) })
    .where('organization_id', '=', organization_id)
    .where('lead_id', '=', lead_id)
    .where('attempt_index', '=', attempt_index)
    .execute();
  if (settled && attempt.leg === 'post' && contradicts(attempt, settled))
    await tellContradiction(tx, organizationId, lead_id, settled, attempt);
}

/** Only a clear answer does: who answered nothing that could be read may have bought it or not. */
function contradicts({ answer, price }: AttemptRow, settled: { outcome: string; price: string | null }): boolean {
  if (settled.outcome === 'notBought') return answer === 'accepted';
  if (answer === 'accepted') return price !== null && Number(price) !== Number(settled.price);
  return answer === 'rejected' || answer === 'duplicate';
}

const settlementOf = (tx: Db, organizationId: string, leadId: string, buyerTierId: string) =>
  tx
    .selectFrom('settlement')
    .select(['outcome', 'price'])
    .where('organization_id', '=', organizationId)
    .where('lead_id', '=', leadId)
    .where('buyer_tier_id', '=', buyerTierId)
    .executeTakeFirst();

async function tellContradiction(
  tx: Db,
  organizationId: string,
  leadId: string,
  settled: { outcome: string; price: string | null },
  { buyerTierId, answer, price }: AttemptRow,
): Promise<void> {
  const tier = await tx
    .selectFrom('buyer_tier as t')
    .innerJoin('buyer as b', (on) => on.onRef('b.organization_id', '=', 't.organization_id').onRef('b.id', '=', 't.buyer_id'))
    .select(['b.name as buyer', 't.name'])
    .where('t.organization_id', '=', organizationId)
    .where('t.id', '=', buyerTierId)
    .executeTakeFirst();
  const changer = { organizationId, userId: organizationId, firstName: 'The answer of a buyer', lastName: '', email: '' };
  await insertChange(tx, changer, {
    ...{ address: '', model: 'settlement', recordId: leadId, recordName: `Lead ${leadId}`, action: 'edit', rollsBack: null },
    before: { outcome: settled.outcome, price: settled.price },
    after: { buyer: tier ? `${tier.buyer}, ${tier.name}` : buyerTierId, answeredAfterwards: answer, ...(price !== null && { price }) },
  });
}

/** One that was taken has come to nothing yet. */
function rowOf(organizationId: string, { leadId, verticalId, test }: ResultRow, attempt: AttemptRow, index: number) {
  return {
    organization_id: organizationId,
    lead_id: leadId,
    attempt_index: index,
    vertical_id: verticalId,
    buyer_id: attempt.buyerId,
    buyer_tier_id: attempt.buyerTierId,
    group_id: attempt.groupId,
    test,
    leg: attempt.leg,
    outcome: attempt.outcome === 'sold' ? 'terrors' : attempt.outcome,
    answer: attempt.answer,
    started_at: new Date(attempt.startedAt),
    elapsed_ms: attempt.elapsedMs,
    connect_ms: attempt.connectMs,
    wait_ms: attempt.waitMs,
    read_ms: attempt.readMs,
    bid: attempt.bid,
    price: attempt.price,
    status_code: attempt.statusCode,
  };
}

const hold = (tx: Db, organizationId: string, leadId: string, buyerTierId: string) =>
  sql`insert into reservation (organization_id, lead_id, subject_id, purpose, node_id, reserved_at, unknown_since)
    select organization_id, id, ${buyerTierId}::uuid, 'post', node_id, now(), now() from lead where organization_id = ${organizationId} and id = ${leadId}
    on conflict (organization_id, lead_id, subject_id, purpose) do update set unknown_since = now()`.execute(tx);
