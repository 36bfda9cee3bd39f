/** One lead of a consumer: what is held of it and who saw it, masked for the screen or whole for who asked for their data. */
import type { HeldLead } from '#contract/data-request.ts';
import type { Db } from '#server/kit/database.ts';
import { viewInboundCall, viewKeptFields } from '#server/lead/lead.view.ts';
import { listSalesOf, viewLeadRow } from '#server/lead/lead-list.sql.ts';
import { findLeadPlace, getLeadRecord, getLeadRow, type LeadRecord, passByDamaged } from '#server/lead/lead-view.sql.ts';
import { NO_MASKING } from '#server/lead/mask-text.ts';
import type { LeadPayment } from '#server/payment/payment-list.sql.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import type { ReturnNote } from '#server/return/return-notes.sql.ts';
import { disclosures } from './disclosures.ts';
import { countCallsOf } from './find-person.sql.ts';

export interface Held {
  leadId: string;
  /** Undefined of one that was damaged. */
  record: LeadRecord | undefined;
  view: HeldLead;
}

export async function readHeld(db: Db, organization: OrganizationPlan, leadId: string): Promise<Held> {
  const [place, record, calls] = await Promise.all([
    findLeadPlace(db, organization.organizationId, leadId),
    getLeadRecord(db, organization, leadId).catch(passByDamaged),
    countCallsOf(db, organization.organizationId, leadId),
  ]);
  const vertical = organization.plan.verticals.get(place?.verticalId ?? '')?.config;
  const slugs = { verticalName: vertical?.name ?? '', regionSlug: place?.regionSlug ?? '', verticalSlug: place?.verticalSlug ?? '' };
  if (!record) return { leadId, record, view: { ...(await viewDamaged(db, organization, leadId)), ...slugs } };
  const view: HeldLead = {
    lead: viewLeadRow(organization, record.row, record.sales),
    ...slugs,
    fields: viewKeptFields(organization, record).map(({ fieldName, fieldHumanName, value }) => ({
      fieldName,
      label: fieldHumanName || fieldName,
      value,
    })),
    seenBy: disclosures(organization, record, vertical?.fields ?? []),
    held: {
      attempts: record.attempts.length,
      checks: record.checks.length,
      lateAnswers: record.lates.length,
      notices: record.notices.length,
      calls,
      link: record.redirect !== undefined,
    },
    erasedAt: record.stored.erased?.at ?? null,
  };
  return { leadId, record, view };
}

async function viewDamaged(db: Db, organization: OrganizationPlan, leadId: string) {
  const { organizationId } = organization;
  const [row, sales] = await Promise.all([getLeadRow(db, organizationId, leadId), listSalesOf(db, organizationId, [leadId])]);
  return {
    lead: viewLeadRow(organization, row as LeadRecord['row'], sales.get(leadId)),
    fields: [],
    seenBy: [],
    held: null,
    erasedAt: null,
  };
}

/** What is kept of a lead beside it: payments that were reported, and what was written when it was returned. */
export interface BesideLead {
  payments: LeadPayment[];
  returnNotes: ReturnNote[];
}

/** With every value as it is kept; of one that was damaged, what its columns tell. */
export function wholeLead(organization: OrganizationPlan, { record, view }: Held, { payments, returnNotes }: BesideLead) {
  const { lead, verticalName, seenBy, erasedAt } = view;
  const { fields, unknown, invalid } = record?.stored ?? { fields: {}, unknown: {}, invalid: {} };
  return {
    leadId: lead._id,
    receivedAt: lead.receivedAt,
    vertical: verticalName,
    campaign: lead.campaignName,
    publisher: lead.publisherName,
    publisherTier: lead.publisherTierName,
    subId: lead.subId,
    status: lead.status,
    reason: lead.reasonLabel,
    test: lead.test,
    labels: Object.fromEntries(view.fields.map(({ fieldName, label }) => [fieldName, label])),
    fields,
    unknownFields: unknown,
    refusedFields: invalid,
    call: record ? viewInboundCall(organization, record, NO_MASKING) : null,
    couldNotBeRead: !record,
    seenBy,
    payments,
    returnNotes,
    erasedAt,
  };
}
