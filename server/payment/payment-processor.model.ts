/** Payment processors, as their page and the generic data calls know them. */
import { sql } from 'kysely';
import { z } from 'zod';
import type { RecordModel } from '#server/record/record-model.ts';
import { name, notes, status, updatedAt, version } from '#server/record/shared-fields.ts';
import { mayOpenSomewhere } from '#server/session/session.policy.ts';
import type { SignedIn } from '#server/session/session.sql.ts';

export const PAYMENT_PAGE = 'payment-processor-stats';

const mayRead = (person: SignedIn) => mayOpenSomewhere(person, PAYMENT_PAGE);
/** Whoever has its address can report payments: that is for who sets up. */
const mayWrite = (person: SignedIn) => mayRead(person) && mayOpenSomewhere(person, 'setup');

export const paymentProcessor: RecordModel = {
  model: 'paymentProcessor',
  label: 'Payment processor',
  table: 'payment_processor',
  organizationColumn: 'organization_id',
  page: PAYMENT_PAGE,
  fields: {
    name,
    verticalId: { column: 'vertical_id', kind: 'id', write: z.uuid(), required: true, fixed: true, refers: 'vertical' },
    status,
    notes,
    version,
    updatedAt,
  },
  verticalOf: sql`t.vertical_id`,
  mayRead,
  mayWrite,
  mayAdd: mayWrite,
  removal: 'archive',
  search: ['name', 'notes'],
  uniqueNames: [{ field: 'name', within: 'verticalId' }],
  // Nodes let its reports in by their plan.
  routes: true,
  logged: true,
};
