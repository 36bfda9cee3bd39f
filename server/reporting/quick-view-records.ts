/** Records that the quick view finds by their names (console §2), as actions that go to their screens. */
import { QUICK_VIEW_TYPE, type QuickViewAction } from '#contract/reporting.ts';
import { buyer, buyerTier } from '#server/buyer/buyer.models.ts';
import { campaign } from '#server/campaign/campaign.models.ts';
import { publisher, publisherTier } from '#server/publisher/publisher.models.ts';
import { listRows } from '#server/record/record.sql.ts';
import { readCondition } from '#server/record/record-condition.ts';
import type { RecordModel, Row, Tx } from '#server/record/record-model.ts';
import { mayOpenPage } from '#server/session/session.policy.ts';
import type { SignedIn } from '#server/session/session.sql.ts';
import type { ActionPlace } from './quick-view-actions.ts';

/** Of each kind; who looks for more opens the list. */
const FOUND_MOST = 5;

interface Kind {
  model: RecordModel;
  /** Only those of the vertical at hand. */
  inVertical: boolean;
  nameOf: (row: Row) => string;
  pathOf: (id: string) => string;
}

const KINDS: Kind[] = [
  { model: campaign, inVertical: true, nameOf: (row) => String(row.name), pathOf: (id) => `campaigns/${id}` },
  { model: publisher, inVertical: false, nameOf: (row) => String(row.name), pathOf: (id) => `publishers/${id}` },
  {
    ...{ model: publisherTier, inVertical: true },
    nameOf: (row) => `${row.publisher_name}, ${row.name}`,
    pathOf: (id) => `tier/edit/${id}?of=publisher`,
  },
  { model: buyer, inVertical: false, nameOf: (row) => String(row.name), pathOf: (id) => `buyers/${id}` },
  {
    ...{ model: buyerTier, inVertical: true },
    nameOf: (row) => `${row.buyer_name}, ${row.name}`,
    pathOf: (id) => `tier/edit/${id}?of=buyer`,
  },
];

/** What the person may set up at this place and whose name holds the text; archived records are not among them. */
export async function findQuickViewRecords(tx: Tx, person: SignedIn, place: ActionPlace, search: string): Promise<QuickViewAction[]> {
  const { regionId, verticalId, regionSlug, verticalSlug } = place;
  if (search.trim() === '' || !mayOpenPage(person, 'setup', regionId, verticalId)) return [];
  const params = { slugR: regionSlug, slugV: verticalSlug };
  const found: QuickViewAction[] = [];
  for (const { model, inVertical, nameOf, pathOf } of KINDS) {
    if (!model.mayRead(person)) continue;
    const rows = await listRows(tx, model, person, {
      ...{ search: search.trim(), limit: FOUND_MOST, sort: [{ field: 'name' }] },
      ...(inVertical && { conditions: readCondition(model, { verticalId }) }),
    });
    for (const row of rows) {
      const id = String(row.id);
      const name = `${model.label}: ${nameOf(row)}`;
      found.push({ type: QUICK_VIEW_TYPE.screen, id, icon: 'record', name, URLName: pathOf(id), params });
    }
  }
  return found;
}
