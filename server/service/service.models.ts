/** Third-party services, as the set-up screens and the generic data calls know them. */
import { sql } from 'kysely';
import { z } from 'zod';
import { serviceEndpoint } from '#contract/service.ts';
import { requireReachable, requireUsable } from '#server/delivery/require-usable.ts';
import { requireVerticalPlan } from '#server/plan/check-tier.ts';
import { isRestored, type RecordModel } from '#server/record/record-model.ts';
import { secretsField } from '#server/record/secrets-field.ts';
import { name, notes, status, updatedAt, version } from '#server/record/shared-fields.ts';
import { maySetUp } from '#server/session/session.policy.ts';
import { requireCheckable } from './require-checkable.ts';
import { listTiersAsking } from './service.sql.ts';

const isSetUp = (person: Parameters<typeof maySetUp>[0]) => maySetUp(person) !== false;

export const service: RecordModel = {
  model: 'service',
  label: 'Third-party service',
  table: 'service',
  organizationColumn: 'organization_id',
  namesFields: true,
  fields: {
    name,
    verticalId: { column: 'vertical_id', kind: 'id', write: z.uuid(), required: true, fixed: true, refers: 'vertical' },
    status,
    notes,
    endpoint: { column: 'endpoint', kind: 'json', write: serviceEndpoint, required: true },
    secrets: secretsField('service.secrets'),
    tierCount: {
      column: 'tier_count',
      kind: 'number',
      expression: sql`((select count(*) from publisher_tier p where p.organization_id = t.organization_id and p.p2c_service_id = t.id and p.status <> 'archived')
        + (select count(*) from buyer_tier b where b.organization_id = t.organization_id and b.third_party_service_id = t.id and b.status <> 'archived'))::int`,
    },
    version,
    updatedAt,
  },
  verticalOf: sql`t.vertical_id`,
  mayRead: isSetUp,
  mayWrite: isSetUp,
  mayAdd: isSetUp,
  removal: 'archive',
  search: ['name', 'notes'],
  uniqueNames: [{ field: 'name', within: 'verticalId' }],
  uses: (tx, organizationId, row) => listTiersAsking(tx, organizationId, String(row.id)),
  async check(tx, person, changed, row, before, { outboundAllow }) {
    const { post, check } = serviceEndpoint.parse(row.endpoint);
    if (post) requireUsable({ post });
    if (post && changed.endpoint && !isRestored(before)) requireReachable({ post }, outboundAllow);
    if (check) requireCheckable(check, (await requireVerticalPlan(tx, person.organizationId, String(row.vertical_id))).config);
  },
  routes: true,
  logged: true,
};
