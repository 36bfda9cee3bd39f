/** Webhooks, as their page and the generic data calls know them. */
import { sql } from 'kysely';
import { z } from 'zod';
import { webhookEvents, webhookUrl } from '#contract/webhook.ts';
import { refuseUrl } from '#server/delivery/outbound-address.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { isRestored, type RecordModel } from '#server/record/record-model.ts';
import { name, notes, status, updatedAt, version } from '#server/record/shared-fields.ts';
import { mayOpenSomewhere } from '#server/session/session.policy.ts';
import type { SignedIn } from '#server/session/session.sql.ts';

export const WEBHOOK_PAGE = 'features-api';

const may = (person: SignedIn) => mayOpenSomewhere(person, WEBHOOK_PAGE);

export const webhook: RecordModel = {
  model: 'webhook',
  label: 'Webhook',
  table: 'webhook',
  organizationColumn: 'organization_id',
  page: WEBHOOK_PAGE,
  fields: {
    name,
    verticalId: { column: 'vertical_id', kind: 'id', write: z.uuid(), required: true, fixed: true, refers: 'vertical' },
    status,
    url: { column: 'url', write: webhookUrl, required: true },
    events: { column: 'events', kind: 'texts', write: webhookEvents, required: true },
    notes,
    failingSince: { column: 'failing_since', kind: 'time' },
    waiting: {
      column: 'waiting',
      kind: 'number',
      expression: sql`(select count(*)::int from webhook_call x where x.organization_id = t.organization_id and x.webhook_id = t.id and x.state = 'due')`,
    },
    version,
    updatedAt,
  },
  verticalOf: sql`t.vertical_id`,
  mayRead: may,
  mayWrite: may,
  mayAdd: may,
  removal: 'archive',
  search: ['name', 'url', 'notes'],
  uniqueNames: [{ field: 'name', within: 'verticalId' }],
  async check(_tx, _person, changed, row, before, { outboundAllow }) {
    const message = changed.url && !isRestored(before) ? refuseUrl(String(row.url), outboundAllow) : undefined;
    if (message) throw new HttpError(400, 'webhook_address_refused', message, { errors: [{ field: 'url', message }] });
  },
  routes: true,
  logged: true,
};
