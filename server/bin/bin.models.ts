/** BIN ranges, and their moves for the combinations of campaign and affiliate (console §3). */
import { sql } from 'kysely';
import { z } from 'zod';
import { combinationLabel, EVERY_AFFILIATE, EVERY_CAMPAIGN, moveText } from '#contract/move.ts';
import { moveNumber } from '#server/bank/bank.models.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { refused } from '#server/record/record-condition.ts';
import type { RecordField, RecordModel, Row, Tx } from '#server/record/record-model.ts';
import { optionalLine, updatedAt, version } from '#server/record/shared-fields.ts';
import { mayEverything, mayOpenPageIn } from '#server/session/session.policy.ts';
import type { SignedIn } from '#server/session/session.sql.ts';
import { mayManageBins, mayReadBins } from '#server/suppression/suppression.policy.ts';
import { type BinSpan, readBinRange, sayBinRange } from './bin-digits.ts';

const spanOf = (row: Row) => ({ first: Number(row.first_bin), last: Number(row.last_bin), digits: Number(row.digits) });

/** Told with as many digits as it was written with. */
const bound = (column: string, end: 'first' | 'last'): RecordField => ({
  column,
  kind: 'number',
  write: z.string().max(30),
  required: true,
  fixed: true,
  store: (text: string) => requireSpan(end, text)[end],
  readsWith: ['digits'],
  read: (stored: number, { row }) => String(stored).padStart(8, '0').slice(0, Number(row.digits)),
});

function requireSpan(field: string, text: string): BinSpan {
  const span = readBinRange(text);
  if (!span) throw refused(field, 'bin_range_invalid', 'must be six to eight digits');
  return span;
}

export const binRange: RecordModel = {
  model: 'binRange',
  label: 'BIN range',
  table: 'bin_range',
  organizationColumn: 'organization_id',
  fields: {
    first: bound('first_bin', 'first'),
    last: bound('last_bin', 'last'),
    digits: { column: 'digits', kind: 'number' },
    range: {
      column: 'range',
      expression: sql`t.first_bin`,
      kind: 'number',
      readsWith: ['first', 'last', 'digits'],
      read: (_stored: never, { row }) => sayBinRange(spanOf(row)),
    },
    scheme: { column: 'scheme', write: optionalLine(60) },
    issuer: { column: 'issuer', write: optionalLine(120) },
    type: { column: 'type', write: optionalLine(30) },
    category: { column: 'category', write: optionalLine(60) },
    country: { column: 'country', write: optionalLine(60) },
    move: {
      column: 'move',
      kind: 'number',
      expression: sql`(select m.move::int from bin_move m where m.organization_id = t.organization_id and m.bin_range_id = t.id and m.combination = 4)`,
    },
    moveCount: {
      column: 'move_count',
      kind: 'number',
      expression: sql`(select count(*)::int from bin_move m where m.organization_id = t.organization_id and m.bin_range_id = t.id)`,
    },
    version,
    updatedAt,
  },
  mayRead: mayReadBins,
  mayWrite: mayManageBins,
  mayAdd: mayManageBins,
  removal: 'delete',
  search: ['issuer', 'scheme', 'country', 'type', 'category', 'first'],
  nameOf: (row) => sayBinRange(spanOf(row)),
  unique: {
    bin_range_organization_id_width_first_bin_last_bin_key: {
      field: 'first',
      code: 'bin_range_taken',
      message: 'There is this very range already.',
    },
  },
  async uses(tx, organizationId, row) {
    const { count } = await tx
      .selectFrom('bin_move')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('organization_id', '=', organizationId)
      .where('bin_range_id', '=', String(row.id))
      .executeTakeFirstOrThrow();
    return count === 0 ? [] : [`It has ${count} ${count === 1 ? 'move' : 'moves'}; remove ${count === 1 ? 'it' : 'those'} first.`];
  },
  begin: async (_tx, _person, data) => {
    const span = readBinRange(String(data.first), String(data.last));
    if (!span) throw refused('last', 'bin_range_invalid', 'must be six to eight digits, and not before the first');
    return { digits: span.digits };
  },
  logged: true,
};

const CAMPAIGN_VERTICAL = sql`(select c.vertical_id from campaign c where c.organization_id = t.organization_id and c.id = t.campaign_id)`;

export const binMove: RecordModel = {
  model: 'binMove',
  label: 'BIN move',
  table: 'bin_move',
  organizationColumn: 'organization_id',
  parent: { model: 'binRange', field: 'binRangeId', entityKey: 'moves' },
  fields: {
    binRangeId: { column: 'bin_range_id', kind: 'id', write: z.uuid(), required: true, fixed: true, refers: 'binRange' },
    campaignId: { column: 'campaign_id', kind: 'id', write: z.uuid().nullable(), fixed: true },
    publisherId: { column: 'publisher_id', kind: 'id', write: z.uuid().nullable(), fixed: true },
    campaignName: {
      column: 'campaign_name',
      nameFrom: { table: 'campaign', by: 'campaign_id' },
      csv: (name: string | null) => name ?? EVERY_CAMPAIGN,
    },
    publisherName: {
      column: 'publisher_name',
      nameFrom: { table: 'publisher', by: 'publisher_id' },
      csv: (name: string | null) => name ?? EVERY_AFFILIATE,
    },
    campaignVerticalId: { column: 'campaign_vertical_id', kind: 'id', expression: CAMPAIGN_VERTICAL },
    combination: { column: 'combination', kind: 'number', csv: (one: number) => `${one} ${combinationLabel(one)}` },
    move: { column: 'move', kind: 'number', write: moveNumber, required: true, csv: moveText },
    version,
    updatedAt,
  },
  mayRead: mayReadBins,
  // Moves for a campaign are there for who has the page where it lies.
  mayReadRow: (person, row) =>
    row.campaign_id === null || ['bin-mgmt', 'bin-lookup'].some((page) => mayOpenPageIn(person, page, String(row.campaign_vertical_id))),
  mayWrite: mayManageBins,
  mayAdd: mayManageBins,
  removal: 'delete',
  nameOf: (row) => `Move ${row.move} for combination ${row.combination}`,
  unique: {
    bin_move_organization_id_bin_range_id_campaign_id_publisher_key: {
      field: 'campaignId',
      code: 'bin_move_taken',
      message: 'The range has a move for this campaign and affiliate. Change that one.',
    },
  },
  async begin(tx, person, data) {
    if (data.campaignId) await requireCampaign(tx, person, String(data.campaignId));
    if (data.publisherId) await requirePublisher(tx, person, String(data.publisherId));
    return {};
  },
  logged: true,
};

/** A campaign of a vertical in which the person has the page, held until the change commits; else 404. */
export async function requireCampaign(
  tx: Tx,
  person: SignedIn,
  campaignId: string,
  pages: readonly string[] = ['bin-mgmt'],
): Promise<void> {
  const found = await tx
    .selectFrom('campaign')
    .select(['vertical_id', 'status'])
    .where('organization_id', '=', person.organizationId)
    .where('id', '=', campaignId)
    .forShare()
    .executeTakeFirst();
  if (!found || found.status === 'archived' || !pages.some((page) => mayOpenPageIn(person, page, found.vertical_id)))
    throw choiceUnknown('campaignId', 'campaign_unknown', 'There is no such campaign in your reach.');
}

/** A publisher with a tier in a vertical in which the person has one of the pages (decision 0016), held until the change commits; else 404. */
export async function requirePublisher(
  tx: Tx,
  person: SignedIn,
  publisherId: string,
  pages: readonly string[] = ['bin-mgmt'],
): Promise<void> {
  const found = await tx
    .selectFrom('publisher')
    .select('status')
    .where('organization_id', '=', person.organizationId)
    .where('id', '=', publisherId)
    .forShare()
    .executeTakeFirst();
  const verticals = await tx
    .selectFrom('publisher_tier as t')
    .innerJoin('campaign as c', (join) => join.onRef('c.organization_id', '=', 't.organization_id').onRef('c.id', '=', 't.campaign_id'))
    .select('c.vertical_id')
    .distinct()
    .where('t.organization_id', '=', person.organizationId)
    .where('t.publisher_id', '=', publisherId)
    .execute();
  const isReached = mayEverything(person) || verticals.some((one) => pages.some((page) => mayOpenPageIn(person, page, one.vertical_id)));
  if (!found || found.status === 'archived' || !isReached)
    throw choiceUnknown('publisherId', 'publisher_unknown', 'There is no such publisher in your reach.');
}

const choiceUnknown = (field: string, code: string, message: string) => new HttpError(404, code, message, { errors: [{ field, message }] });
