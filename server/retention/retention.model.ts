/** How long each vertical keeps the person in its leads: one record a vertical, as its page and the generic data calls know it. */
import { sql } from 'kysely';
import { z } from 'zod';
import { keptDays } from '#contract/retention.ts';
import { refused } from '#server/record/record-condition.ts';
import type { RecordModel } from '#server/record/record-model.ts';
import { updatedAt, version } from '#server/record/shared-fields.ts';
import { mayOpenSomewhere } from '#server/session/session.policy.ts';
import type { SignedIn } from '#server/session/session.sql.ts';

export const RETENTION_PAGE = 'dataMgmt-Configuration';

const may = (person: SignedIn) => mayOpenSomewhere(person, RETENTION_PAGE);

export const retention: RecordModel = {
  model: 'retention',
  label: 'Retention',
  table: 'retention',
  organizationColumn: 'organization_id',
  page: RETENTION_PAGE,
  fields: {
    verticalId: { column: 'vertical_id', kind: 'id', write: z.uuid(), required: true, fixed: true, refers: 'vertical' },
    verticalName: {
      column: 'vertical_name',
      expression: sql`(select v.name from vertical v where v.organization_id = t.organization_id and v.id = t.vertical_id)`,
    },
    unsoldDays: { column: 'unsold_days', kind: 'number', write: keptDays },
    soldDays: { column: 'sold_days', kind: 'number', write: keptDays },
    wireDays: { column: 'wire_days', kind: 'number', write: keptDays },
    onHold: { column: 'on_hold', kind: 'boolean', write: z.boolean() },
    holdReason: { column: 'hold_reason', write: z.string().max(500) },
    erasedLeads: { column: 'erased_leads', kind: 'number' },
    emptiedLeads: { column: 'emptied_leads', kind: 'number' },
    emptiedCalls: { column: 'emptied_calls', kind: 'number' },
    ranAt: { column: 'ran_at', kind: 'time' },
    version,
    updatedAt,
  },
  verticalOf: sql`t.vertical_id`,
  nameOf: (row) => String(row.vertical_name ?? 'Retention'),
  mayRead: may,
  mayWrite: may,
  mayAdd: may,
  unique: {
    retention_of_vertical: {
      field: 'verticalId',
      code: 'retention_exists',
      message: 'This vertical has its rules already. Load the page again and change them.',
    },
  },
  async check(_tx, _person, _changed, row) {
    const [unsold, sold] = [row.unsold_days, row.sold_days] as (number | null)[];
    if (unsold != null && sold != null && sold < unsold)
      throw refused('soldDays', 'retention_sold_sooner', 'A sold lead is kept at least as long as one that was not sold.');
    if (row.on_hold === true && String(row.hold_reason ?? '').trim() === '')
      throw refused('holdReason', 'retention_hold_reason', 'Say why nothing may be deleted, for whoever asks later.');
  },
  logged: true,
};
