/** Tests for the generic data calls: read here, changed by calls of their own (ab-test.routes.ts). */
import { sql } from 'kysely';
import type { RecordModel } from '#server/record/record-model.ts';
import { mayOpenSomewhere } from '#server/session/session.policy.ts';

export const abTest: RecordModel = {
  model: 'abTest',
  label: 'A/B test',
  table: 'ab_test',
  organizationColumn: 'organization_id',
  page: 'ab-testing',
  fields: {
    name: { column: 'name' },
    campaignId: { column: 'campaign_id', kind: 'id' },
    campaignName: { column: 'campaign_name', nameFrom: { table: 'campaign', by: 'campaign_id' } },
    status: { column: 'status' },
    metric: { column: 'metric' },
    notes: { column: 'notes' },
    startedAt: { column: 'started_at', kind: 'time' },
    stoppedAt: { column: 'stopped_at', kind: 'time' },
    version: { column: 'version', kind: 'number' },
    updatedAt: { column: 'updated_at', kind: 'time' },
  },
  verticalOf: sql`(select c.vertical_id from campaign c where c.organization_id = t.organization_id and c.id = t.campaign_id)`,
  mayRead: (person) => mayOpenSomewhere(person, 'ab-testing'),
  mayWrite: () => false,
  search: ['name', 'campaignName', 'notes'],
  logged: true,
};
