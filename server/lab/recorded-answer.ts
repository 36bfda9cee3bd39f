/** The last answer of a buyer tier that is on record. It was given to another lead: what is personal of that one is masked, as on its page. */
import type { WireRecord } from '#server/delivery/deliver.ts';
import type { Db } from '#server/kit/database.ts';
import { viewWire } from '#server/lead/attempt.view.ts';
import { fieldsOf, maskingOf } from '#server/lead/lead.view.ts';
import { getLeadRecord } from '#server/lead/lead-view.sql.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import { findAnsweredAttempt } from './lab.sql.ts';

export async function findRecordedAnswer(
  own: Db,
  organization: OrganizationPlan,
  buyerTierId: string,
  leg: 'ping' | 'post',
): Promise<NonNullable<WireRecord['response']> | undefined> {
  const attempt = await findAnsweredAttempt(own, organization.organizationId, buyerTierId, leg);
  if (!attempt) return undefined;
  const record = await getLeadRecord(own, organization, attempt.lead_id);
  const wire = record.wires[attempt.attempt_index];
  const shown = wire && viewWire(wire, maskingOf(fieldsOf(organization, record), record.stored));
  if (!shown || shown.statusCode === null) return undefined;
  return { status: shown.statusCode, headers: shown.responseHeaders, body: shown.responseBody };
}
