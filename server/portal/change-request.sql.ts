/** Change requests as they are kept. A status other than open is final: whoever decides locks the row, and of several one wins. */
import { type Selectable, sql } from 'kysely';
import { REQUESTS_ON_A_PAGE, type RequestStatus } from '#contract/change-request.ts';
import type { BoundTo } from '#contract/session.ts';
import type { Database } from '#db/types.ts';
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { newId } from '#server/kit/ids.ts';
import { mayEverything, setUpVerticals } from '#server/session/session.policy.ts';
import type { SignedIn } from '#server/session/session.sql.ts';

export type RequestRow = Selectable<Database['change_request']>;
type Values = Record<string, unknown>;

export interface NewRequest {
  bound: BoundTo;
  model: string;
  recordId: string;
  recordName: string;
  saleIndex: number | null;
  verticalId: string | null;
  before: Values;
  after: Values;
  note: string;
}

const companyColumn = ({ kind }: BoundTo) => (kind === 'buyer' ? ('buyer_id' as const) : ('publisher_id' as const));

/** Throws 409 while another one about the same record is open. */
export async function insertRequest(
  tx: Db,
  { organizationId, userId, name }: { organizationId: string; userId: string; name: string },
  asked: NewRequest,
): Promise<RequestRow> {
  const row = await tx
    .insertInto('change_request')
    .values({
      organization_id: organizationId,
      id: newId(),
      [companyColumn(asked.bound)]: asked.bound.companyId,
      model: asked.model,
      record_id: asked.recordId,
      record_name: asked.recordName.slice(0, 200),
      sale_index: asked.saleIndex,
      vertical_id: asked.verticalId,
      before: JSON.stringify(asked.before),
      after: JSON.stringify(asked.after),
      note: asked.note,
      asked_by: userId,
      asked_by_name: name,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (!row)
    throw new HttpError(
      409,
      'request_open',
      `A request about ${asked.recordName} is waiting already. Take that one back first, or wait until it is decided.`,
    );
  return row;
}

export async function listCompanyRequests(
  db: Db,
  organizationId: string,
  bound: BoundTo,
  page: number,
): Promise<{ rows: RequestRow[]; total: number }> {
  const own = db
    .selectFrom('change_request')
    .where('organization_id', '=', organizationId)
    .where(companyColumn(bound), '=', bound.companyId);
  const { total } = await own.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow();
  const rows = await own
    .selectAll()
    .orderBy(sql`status = 'open'`, 'desc')
    .orderBy('id', 'desc')
    .limit(REQUESTS_ON_A_PAGE)
    .offset((page - 1) * REQUESTS_ON_A_PAGE)
    .execute();
  return { rows, total };
}

export async function countOpenRequests(db: Db, organizationId: string, bound: BoundTo): Promise<number> {
  const { open } = await db
    .selectFrom('change_request')
    .select(sql<number>`count(*)::int`.as('open'))
    .where('organization_id', '=', organizationId)
    .where(companyColumn(bound), '=', bound.companyId)
    .where('status', '=', 'open')
    .executeTakeFirstOrThrow();
  return open;
}

/** Locked until the transaction ends; undefined where there is none. */
export function lockRequest(tx: Db, organizationId: string, id: string): Promise<RequestRow | undefined> {
  return tx
    .selectFrom('change_request')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

/** Says what has become of one that is open no more. */
export function requireOpen(row: RequestRow): void {
  if (row.status === 'open') return;
  const said = { approved: 'approved', declined: 'declined', withdrawn: 'taken back by who asked' }[
    row.status as Exclude<RequestStatus, 'open'>
  ];
  throw new HttpError(409, 'request_decided', `This request was ${said} meanwhile. Nothing was changed now.`);
}

export async function closeRequest(
  tx: Db,
  row: RequestRow,
  decided: { status: Exclude<RequestStatus, 'open'>; by: { userId: string; name: string }; answer: string },
): Promise<void> {
  await tx
    .updateTable('change_request')
    .set({
      status: decided.status,
      decided_by: decided.by.userId,
      decided_by_name: decided.by.name,
      decided_at: new Date(),
      answer: decided.answer,
    })
    .where('organization_id', '=', row.organization_id)
    .where('id', '=', row.id)
    .execute();
}

/** What says which requests somebody may decide. */
export type Reach = Pick<SignedIn, 'organizationId' | 'role' | 'isSuperAdmin' | 'permissions'>;

/** Those that the person may decide about by what they set up (decision 0016): of a tier by its vertical, of a company by any of its tiers'. */
function inReach(person: Reach) {
  if (mayEverything(person)) return sql<boolean>`true`;
  const own = sql`any(${setUpVerticals(person)}::uuid[])`;
  const verticals = sql`(select x.vertical_id from buyer_tier x where x.organization_id = q.organization_id and x.buyer_id = q.buyer_id
    union all select c.vertical_id from publisher_tier x join campaign c on c.organization_id = x.organization_id and c.id = x.campaign_id
    where x.organization_id = q.organization_id and x.publisher_id = q.publisher_id)`;
  return sql<boolean>`case when q.vertical_id is not null then q.vertical_id = ${own}
    else not exists (${verticals}) or exists (select 1 from ${verticals} v where v.vertical_id = ${own}) end`;
}

export interface WaitingRow extends RequestRow {
  company_name: string;
}

const COMPANY_NAME = sql<string>`coalesce((select b.name from buyer b where b.organization_id = q.organization_id and b.id = q.buyer_id),
  (select p.name from publisher p where p.organization_id = q.organization_id and p.id = q.publisher_id))`.as('company_name');

/** Open ones that the person may decide and nobody was told of, what waits longest first. */
export function listUntold(db: Db, person: Reach): Promise<WaitingRow[]> {
  return db
    .selectFrom('change_request as q')
    .selectAll('q')
    .select(COMPANY_NAME)
    .where('q.organization_id', '=', person.organizationId)
    .where('q.status', '=', 'open')
    .where('q.told_at', 'is', null)
    .where(inReach(person))
    .orderBy('q.id')
    .execute();
}

export async function listRequests(
  db: Db,
  person: SignedIn,
  { which, page }: { which: 'open' | 'decided'; page: number },
): Promise<{ rows: WaitingRow[]; total: number }> {
  const some = db
    .selectFrom('change_request as q')
    .where('q.organization_id', '=', person.organizationId)
    .where('q.status', which === 'open' ? '=' : '<>', 'open')
    .where(inReach(person));
  const { total } = await some.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow();
  const rows = await some
    .selectAll('q')
    .select(COMPANY_NAME)
    // What waits longest stands first.
    .orderBy(which === 'open' ? sql`q.id asc` : sql`q.decided_at desc, q.id desc`)
    .limit(REQUESTS_ON_A_PAGE)
    .offset((page - 1) * REQUESTS_ON_A_PAGE)
    .execute();
  return { rows, total };
}

export async function countRequests(db: Db, person: SignedIn): Promise<number> {
  const { open } = await db
    .selectFrom('change_request as q')
    .select(sql<number>`count(*)::int`.as('open'))
    .where('q.organization_id', '=', person.organizationId)
    .where('q.status', '=', 'open')
    .where(inReach(person))
    .executeTakeFirstOrThrow();
  return open;
}

/** Who asked, where they are still a member of that portal: others are not written to. */
export async function findAsker(tx: Db, row: RequestRow): Promise<{ email: string; firstName: string } | undefined> {
  const found = await tx
    .selectFrom('team_member as m')
    .innerJoin('app_user as u', 'u.id', 'm.user_id')
    .select(['u.email', 'u.first_name'])
    .where('m.organization_id', '=', row.organization_id)
    .where('m.user_id', '=', row.asked_by)
    .where('m.status', '=', 'active')
    .where(row.buyer_id ? 'm.buyer_id' : 'm.publisher_id', '=', row.buyer_id ?? row.publisher_id)
    .executeTakeFirst();
  return found && { email: found.email, firstName: found.first_name };
}
