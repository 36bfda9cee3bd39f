/** People at publishers and buyers. */
import { sql } from 'kysely';
import { z } from 'zod';
import { HttpError } from '#server/kit/http-error.ts';
import { mayEditField } from '#server/record/reach.ts';
import type { RecordModel } from '#server/record/record-model.ts';
import { lineOf, notes, optionalLine, updatedAt, version } from '#server/record/shared-fields.ts';
import { maySetUp } from '#server/session/session.policy.ts';

const isSetUp = (person: Parameters<typeof maySetUp>[0]) => maySetUp(person) !== false;
const phone = z.string().regex(/^$|^\+?[\d ().-]{6,30}$/, 'must be a phone number');

/** Those of the company. */
const ITS_VERTICALS = sql`select x.vertical_id from buyer_tier x where x.organization_id = t.organization_id and x.buyer_id = t.buyer_id
  union all select c.vertical_id from publisher_tier x join campaign c on c.organization_id = x.organization_id and c.id = x.campaign_id
  where x.organization_id = t.organization_id and x.publisher_id = t.publisher_id`;

export const contact: RecordModel = {
  model: 'contact',
  label: 'Contact',
  table: 'contact',
  organizationColumn: 'organization_id',
  fields: {
    firstName: { column: 'first_name', write: lineOf(80), required: true },
    lastName: { column: 'last_name', write: optionalLine(80) },
    job: { column: 'job', write: optionalLine(120) },
    email: { column: 'email', write: z.union([z.literal(''), z.email('must be an e-mail address').max(254)]) },
    phone: { column: 'phone', write: phone },
    notes,
    publisherId: { column: 'publisher_id', kind: 'id', write: z.uuid().nullable(), fixed: true, refers: 'publisher' },
    buyerId: { column: 'buyer_id', kind: 'id', write: z.uuid().nullable(), fixed: true, refers: 'buyer' },
    company: {
      column: 'company',
      expression: sql`coalesce((select p.name from publisher p where p.organization_id = t.organization_id and p.id = t.publisher_id),
        (select b.name from buyer b where b.organization_id = t.organization_id and b.id = t.buyer_id))`,
    },
    status: { column: 'status', write: z.literal('active') },
    mayEdit: mayEditField(ITS_VERTICALS),
    version,
    updatedAt,
  },
  verticalsOf: ITS_VERTICALS,
  mayRead: isSetUp,
  mayWrite: isSetUp,
  mayAdd: isSetUp,
  removal: 'archive',
  search: ['firstName', 'lastName', 'email', 'company'],
  nameOf: (row) => `${row.first_name} ${row.last_name}`.trim(),
  async begin(_tx, _person, { publisherId, buyerId }) {
    if (!publisherId === !buyerId)
      throw new HttpError(400, 'contact_company_missing', 'A contact belongs to one publisher or one buyer.', {
        errors: [{ field: 'publisherId', message: 'name a publisher or a buyer' }],
      });
    return {};
  },
  logged: true,
};
