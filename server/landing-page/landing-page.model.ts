/** Landing pages, as their page and the generic data calls know them. */
import { sql } from 'kysely';
import { z } from 'zod';
import { landingPageUrl } from '#contract/landing-page.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { findTierOf } from '#server/publisher/tier-kind.ts';
import type { RecordModel } from '#server/record/record-model.ts';
import { name, notes, status, updatedAt, version } from '#server/record/shared-fields.ts';
import { mayOpenSomewhere } from '#server/session/session.policy.ts';
import type { SignedIn } from '#server/session/session.sql.ts';

export const PAGE_STATS = 'Page-Stats';

const mayRead = (person: SignedIn) => mayOpenSomewhere(person, PAGE_STATS);
/** A page is made for a publisher tier, which only the set-up tells. */
const mayWrite = (person: SignedIn) => mayRead(person) && mayOpenSomewhere(person, 'setup');

export const landingPage: RecordModel = {
  model: 'landingPage',
  label: 'Landing page',
  table: 'landing_page',
  organizationColumn: 'organization_id',
  page: PAGE_STATS,
  fields: {
    name,
    verticalId: { column: 'vertical_id', kind: 'id', write: z.uuid(), required: true, fixed: true, refers: 'vertical' },
    publisherTierId: { column: 'publisher_tier_id', kind: 'id', write: z.uuid(), required: true, fixed: true, refers: 'publisherTier' },
    status,
    url: { column: 'url', write: landingPageUrl, required: true },
    notes,
    version,
    updatedAt,
  },
  verticalOf: sql`t.vertical_id`,
  mayRead,
  mayWrite,
  mayAdd: mayWrite,
  removal: 'archive',
  search: ['name', 'url', 'notes'],
  uniqueNames: [{ field: 'name', within: 'verticalId' }],
  async check(tx, person, changed, row) {
    if (!('publisherTierId' in changed)) return;
    const tier = await findTierOf(tx, person.organizationId, String(row.publisher_tier_id), String(row.vertical_id));
    if (tier?.kind === 'api') return;
    const message = tier
      ? `${tier.name} takes leads from landers alone, and no page can post to it. Choose a publisher tier that takes them by API.`
      : 'Choose a publisher tier of this vertical that is not archived.';
    throw new HttpError(400, 'record_value_invalid', message, { errors: [{ field: 'publisherTierId', message }] });
  },
  routes: true,
  logged: true,
};
