/** What one lead's page is made of, read from the database and unsealed; lead.view.ts puts it into words. */
import type { Selectable } from 'kysely';
import type { LeadView } from '#contract/lead.ts';
import type { Database } from '#db/types.ts';
import { openJson, Unreadable } from '#server/kit/crypto.ts';
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { listNotices, type NoticeOfLead } from '#server/notice/notice.sql.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import { findRedirect } from '#server/redirect/redirect.sql.ts';
import type { Place } from '#server/region/region.routes.ts';
import { findReturnTerms, listReturnsOf, type ReturnOfLead } from '#server/return/return.sql.ts';
import { listOpen, listSettlementsOf, type SettlementOfLead } from '#server/settlement/settlement.sql.ts';
import type { Explained, StoredWire } from './intake.ts';
import { LEAD_COLUMNS, type LeadListRow, listSalesOf, type SaleOfLead } from './lead-list.sql.ts';
import { openStoredFields, type StoredFields } from './stored-fields.ts';

/** As lead_result.verdicts keeps it: tier, group, outcome, filter reason key, code. */
export interface StoredVerdict {
  t: string;
  g: string;
  o: LeadView['verdicts'][number]['outcome'];
  k?: number;
  c: string;
}

export type LateAnswer = Pick<Selectable<Database['late_answer']>, 'attempt_index' | 'outcome' | 'price' | 'after_ms'>;

type StoredCheck = Omit<Selectable<Database['service_call']>, 'wire'> & { wire: StoredWire };

export interface LeadRecord {
  row: LeadListRow & { store_ms: number | null; duplicate_of: string | null; finished_at: Date | null };
  sales: SaleOfLead[];
  stored: StoredFields;
  /** Undefined while the lead is under way. */
  explained: Explained | undefined;
  verdicts: StoredVerdict[];
  attempts: Selectable<Database['attempt']>[];
  /** By attempt index. */
  wires: StoredWire[];
  lates: LateAnswer[];
  checks: StoredCheck[];
  returns: ReturnOfLead[];
  returnTerms: Awaited<ReturnType<typeof findReturnTerms>>;
  settlements: SettlementOfLead[];
  isToSettle: boolean;
  redirect: Awaited<ReturnType<typeof findRedirect>>;
  notices: NoticeOfLead[];
}

/** The region and vertical of a lead, or undefined when the organization has no such lead. */
export async function findLeadPlace(db: Db, organizationId: string, leadId: string): Promise<Place | undefined> {
  const row = await db
    .selectFrom('lead as l')
    .innerJoin('vertical as v', (join) => join.onRef('v.organization_id', '=', 'l.organization_id').onRef('v.id', '=', 'l.vertical_id'))
    .innerJoin('region as g', (join) => join.onRef('g.organization_id', '=', 'l.organization_id').onRef('g.id', '=', 'l.region_id'))
    .select(['l.region_id', 'l.vertical_id', 'g.slug as region_slug', 'v.slug as vertical_slug'])
    .where('l.organization_id', '=', organizationId)
    .where('l.id', '=', leadId)
    .executeTakeFirst();
  return row && { regionId: row.region_id, regionSlug: row.region_slug, verticalId: row.vertical_id, verticalSlug: row.vertical_slug };
}

/** Where any of it was damaged: 409 `lead_unreadable`. */
export async function getLeadRecord(db: Db, organization: OrganizationPlan, leadId: string): Promise<LeadRecord> {
  try {
    return await openLeadRecord(db, organization, leadId);
  } catch (error) {
    throw error instanceof Unreadable ? leadUnreadable() : error;
  }
}

async function openLeadRecord(db: Db, organization: OrganizationPlan, leadId: string): Promise<LeadRecord> {
  const { organizationId, keys } = organization;
  const [row, salesByLead, attempts, lates, checks, returns, settlements, open, redirect, notices] = await Promise.all([
    getLeadRow(db, organizationId, leadId),
    listSalesOf(db, organizationId, [leadId]),
    listAttempts(db, organizationId, leadId),
    listLateAnswers(db, organizationId, leadId),
    listChecks(db, organizationId, leadId),
    listReturnsOf(db, organizationId, [leadId]),
    listSettlementsOf(db, organizationId, leadId),
    listOpen(db, organizationId, { leadId }, 1),
    findRedirect(db, organizationId, leadId),
    listNotices(db, keys, leadId),
  ]);
  const sales = salesByLead.get(leadId) ?? [];
  return {
    row: row as LeadRecord['row'],
    sales,
    attempts,
    lates,
    returns,
    settlements,
    isToSettle: open.length > 0,
    returnTerms: await findReturnTerms(
      db,
      organizationId,
      sales.map((sale) => sale.buyer_tier_id),
    ),
    redirect,
    notices,
    checks: checks.map((one) => ({
      ...one,
      wire: openJson<StoredWire>(keys, 'service_call.wire', `${leadId} ${one.call_index}`, one.wire),
    })),
    stored: openStoredFields(keys, leadId, row.fields),
    explained: row.explained ? openJson<Explained>(keys, 'lead_result.explained', leadId, row.explained) : undefined,
    verdicts: (row.verdicts as StoredVerdict[] | null) ?? [],
    wires: row.wires ? openJson<StoredWire[]>(keys, 'lead_result.wires', leadId, row.wires) : [],
  };
}

const LEAD_UNREADABLE = 'lead_unreadable';

const leadUnreadable = () =>
  new HttpError(
    409,
    LEAD_UNREADABLE,
    'What is kept of this lead was damaged and cannot be opened. Its sales and money stand; ask whoever runs the installation for a backup.',
  );

/** For `catch`: undefined of a lead that was damaged. */
export function passByDamaged(error: unknown): undefined {
  if (error instanceof HttpError && error.code === LEAD_UNREADABLE) return undefined;
  throw error;
}

export function getLeadRow(db: Db, organizationId: string, leadId: string) {
  return db
    .selectFrom('lead as l')
    .leftJoin('lead_result as r', (join) => join.onRef('r.organization_id', '=', 'l.organization_id').onRef('r.lead_id', '=', 'l.id'))
    .select([...LEAD_COLUMNS, 'r.store_ms', 'r.explained', 'r.wires', 'r.verdicts', 'r.duplicate_of', 'r.finished_at'])
    .where('l.organization_id', '=', organizationId)
    .where('l.id', '=', leadId)
    .executeTakeFirstOrThrow();
}

function listAttempts(db: Db, organizationId: string, leadId: string) {
  return db
    .selectFrom('attempt')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('lead_id', '=', leadId)
    .orderBy('attempt_index')
    .execute();
}

function listLateAnswers(db: Db, organizationId: string, leadId: string) {
  return db
    .selectFrom('late_answer')
    .select(['attempt_index', 'outcome', 'price', 'after_ms'])
    .where('organization_id', '=', organizationId)
    .where('lead_id', '=', leadId)
    .execute();
}

function listChecks(db: Db, organizationId: string, leadId: string) {
  return db
    .selectFrom('service_call')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('lead_id', '=', leadId)
    .orderBy('call_index')
    .execute();
}
