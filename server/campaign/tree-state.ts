/** Which tree somebody has seen: whoever publishes or saves says so, and is refused where it is another one by now. */
import { createHash } from 'node:crypto';
import type { TreeGroup } from '#contract/tree.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { isId } from '#server/kit/ids.ts';
import { lockRow } from '#server/record/record.sql.ts';
import type { Change } from '#server/record/record-change.ts';
import type { Row, Tx } from '#server/record/record-model.ts';
import { campaign } from './campaign.models.ts';
import { findDraft, listGroups } from './tree.sql.ts';

export async function requireCampaign({ tx, person }: Change, id: string, read = lockRow): Promise<Row> {
  const row = isId(id) && campaign.mayRead(person) ? await read(tx, campaign, person, id) : undefined;
  if (!row || row.status === 'archived') throw new HttpError(404, 'campaign_unknown', 'There is no such campaign in your reach.');
  return row;
}

/** The campaign, locked, with its tree and draft as the person saw them; throws 409 `tree_changed` where they are others by now. */
export async function requireUnchanged(change: Change, id: string, state: string): Promise<Row> {
  const row = await requireCampaign(change, id);
  const { organizationId } = change.person;
  const draft = await findDraft(change.tx, organizationId, id);
  if (stateOf(await listGroups(change.tx, organizationId, id), draft) !== state)
    throw new HttpError(409, 'tree_changed', 'Somebody has changed this tree or its draft meanwhile. Look at what is new, then decide.');
  return row;
}

/** A draft that was thrown away and begun anew is another one, were it the same to the letter. */
export function stateOf(live: TreeGroup[], draft: { groups: unknown; updated_at: Date } | undefined): string {
  return createHash('sha256')
    .update(JSON.stringify([live, draft?.groups, draft?.updated_at]))
    .digest('base64url')
    .slice(0, 22);
}

/** As it is now, for who only reads. */
export async function readTreeState(tx: Tx, organizationId: string, campaignId: string): Promise<string> {
  return stateOf(await listGroups(tx, organizationId, campaignId), await findDraft(tx, organizationId, campaignId, false));
}
