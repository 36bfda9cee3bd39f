/**
 * Takes a document in: adds what is not there yet, by name, and leaves what is there as it is. One transaction: all of it, or nothing
 * and the first reason why not.
 */
import type { ConfigurationDocument, ImportAnswer, NamedCheck, NamedTarget } from '#contract/configuration-document.ts';
import type { PromotionTargetView } from '#contract/promotion.ts';
import type { OutsideCheckRule } from '#contract/service.ts';
import { publishTree } from '#server/campaign/publish-tree.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { findRow } from '#server/record/record.sql.ts';
import { addRecord, type Change, requireModel } from '#server/record/record-change.ts';
import type { Row } from '#server/record/record-model.ts';
import { all } from './export-configuration.ts';

interface Taking {
  change: Change;
  added: Record<string, number>;
  kept: Record<string, number>;
  notes: string[];
}

export async function importConfiguration(change: Change, document: ConfigurationDocument): Promise<Omit<ImportAnswer, 'status' | 'msg'>> {
  const taking: Taking = { change, added: {}, kept: {}, notes: [...document.notes] };
  const regions = await takeIn(
    taking,
    'region',
    document.regions,
    (one) => one.slug,
    (row) => String(row.slug),
    (one) => ({ ...one }),
  );
  const verticals = await takeVerticals(taking, document, regions);
  const placeOf = new Map([...verticals].map(([place, id]) => [id, place]));
  const services = await takeServices(taking, document, verticals, placeOf);
  const lists = await takeLists(taking, document);
  const buyers = await takeIn(
    taking,
    'buyer',
    document.buyers,
    (one) => one.name,
    nameOf,
    ({ name, data }) => ({ ...data, name }),
  );
  const tiersBefore = new Set((await all(change, 'buyerTier')).map((row) => String(row._id)));
  const tierKey = (buyer: string, place: string, tier: string) => `${buyer}\n${place}\n${tier}`.toLowerCase();
  const buyerTiers = await takeIn(
    taking,
    'buyerTier',
    document.buyerTiers,
    (one) => tierKey(one.buyer, one.place, one.name),
    (row) => tierKey(String(row.buyerName), placeOf.get(String(row.verticalId)) ?? '', String(row.name)),
    ({ name, buyer, place, data, thirdParty, suppressionLists }) => ({
      ...data,
      name,
      buyerId: named(buyers, buyer, 'buyer'),
      verticalId: named(verticals, place, 'vertical'),
      ...(thirdParty && { thirdParty: checkById(services, place, thirdParty) }),
      suppressionLists: listIds(lists, suppressionLists),
    }),
    ({ name, buyer, secrets }) => noteSecrets(taking, `${buyer}, ${name}`, secrets),
  );
  const samples = document.buyerTiers.flatMap(({ buyer, place, name, samples }) => {
    const buyerTierId = named(buyerTiers, tierKey(buyer, place, name), 'buyer tier');
    // A tier that is there already is judged by its own.
    return tiersBefore.has(buyerTierId) ? [] : samples.map((sample) => ({ ...sample, buyerTierId }));
  });
  await takeIn(
    taking,
    'answerSample',
    samples,
    (one) => `${one.buyerTierId}\n${one.name}`,
    (row) => `${row.buyerTierId}\n${row.name}`,
    (one) => one,
  );
  const before = new Set((await all(change, 'campaign')).map((row) => String(row._id)));
  const campaigns = await takeIn(
    taking,
    'campaign',
    document.campaigns,
    (one) => inPlace(one.place, one.name),
    (row) => inPlace(placeOf.get(String(row.verticalId)) ?? '', String(row.name)),
    ({ name, place, data }) => ({ ...data, name, verticalId: named(verticals, place, 'vertical') }),
  );
  for (const one of document.campaigns) {
    const id = named(campaigns, inPlace(one.place, one.name), 'campaign');
    // A tree that is there already is somebody's work.
    if (before.has(id)) continue;
    const groups = one.groups.map((group) => ({
      ...group,
      _id: null,
      members: group.members.map(({ buyer, tier, weight }) => ({
        buyerTierId: named(buyerTiers, tierKey(buyer, one.place, tier), 'buyer tier'),
        weight,
      })),
    }));
    const row = await findRow(change.tx, requireModel('campaign'), change.person, id);
    if (row && groups.length > 0) await publishTree(change, row, groups, 'Imported.');
  }
  const publishers = await takeIn(
    taking,
    'publisher',
    document.publishers,
    (one) => one.name,
    nameOf,
    ({ name, affiliateId, data }) => ({ ...data, name, affiliateId }),
  );
  const seatKey = (publisher: string, tier: string) => `${publisher}\n${tier}`.toLowerCase();
  let [keyless, unshown] = [0, 0];
  const seats = await takeIn(
    taking,
    'publisherTier',
    document.publisherTiers,
    (one) => seatKey(one.publisher, one.name),
    (row) => seatKey(String(row.publisherName), String(row.name)),
    ({ name, publisher, campaign, place, data, p2c, suppressionLists }) => ({
      ...data,
      name,
      publisherId: named(publishers, publisher, 'publisher'),
      campaignId: named(campaigns, inPlace(place, campaign), 'campaign'),
      ...(p2c && { p2c: checkById(services, place, p2c) }),
      suppressionLists: listIds(lists, suppressionLists),
    }),
    ({ data }) => {
      if (data.kind === 'lander') unshown += 1;
      else keyless += 1;
    },
  );
  if (keyless > 0) taking.notes.push(`${keyless} of ${seats.size} publisher tiers have no posting key yet. Make one for each.`);
  if (unshown > 0)
    taking.notes.push(`${unshown} of ${seats.size} publisher tiers take leads from landers, and cards stay behind. Name them in cards.`);
  const idsOf = (place: string): Targets => ({
    publisherTier: (publisher, tier) => named(seats, seatKey(publisher, tier), 'publisher tier'),
    publisher: (name) => named(publishers, name, 'publisher'),
    campaign: (name) => named(campaigns, inPlace(place, name), 'campaign'),
  });
  await takeIn(
    taking,
    'promotion',
    document.promotions,
    (one) => inPlace(one.place, one.name),
    (row) => inPlace(placeOf.get(String(row.verticalId)) ?? '', String(row.name)),
    (one) => ({
      ...one.data,
      name: one.name,
      verticalId: named(verticals, one.place, 'vertical'),
      target: targetById(idsOf(one.place), one.for),
    }),
  );
  const personKey = (company: string, data: Row) =>
    `${company}\n${data.firstName}\n${data.lastName ?? ''}\n${data.email ?? ''}`.toLowerCase();
  await takeIn(
    taking,
    'contact',
    document.contacts,
    (one) => personKey(one.company, one.data),
    (row) => personKey(String(row.company), row),
    ({ company, kind, data }) => ({ ...data, [`${kind}Id`]: named(kind === 'buyer' ? buyers : publishers, company, kind) }),
  );
  return { added: taking.added, kept: taking.kept, notes: taking.notes };
}

async function takeVerticals(taking: Taking, document: ConfigurationDocument, regions: Map<string, string>): Promise<Map<string, string>> {
  const slugOf = new Map([...regions].map(([slug, id]) => [id, slug]));
  const verticals = await takeIn(
    taking,
    'vertical',
    document.verticals,
    (one) => one.place,
    (row) => `${slugOf.get(String(row.regionId))}/${row.slug}`,
    ({ place, name, primaryField }) => {
      const [region = '', slug = ''] = place.split('/');
      return { name, primaryField, slug, regionId: named(regions, region, 'region') };
    },
  );
  for (const { place, fields } of document.verticals) {
    const verticalId = named(verticals, place, 'vertical');
    await takeIn(
      taking,
      'field',
      fields,
      (one) => `${verticalId} ${one.fieldName}`,
      (row) => `${row.verticalId} ${row.fieldName}`,
      (one) => ({ ...one, verticalId }),
    );
  }
  return verticals;
}

async function takeServices(
  taking: Taking,
  document: ConfigurationDocument,
  verticals: Map<string, string>,
  placeOf: Map<string, string>,
): Promise<Map<string, string>> {
  const services = await takeIn(
    taking,
    'service',
    document.services,
    (one) => inPlace(one.place, one.name),
    (row) => inPlace(placeOf.get(String(row.verticalId)) ?? '', String(row.name)),
    ({ name, place, data }) => ({ ...data, name, verticalId: named(verticals, place, 'vertical') }),
    ({ name, secrets }) => noteSecrets(taking, name, secrets),
  );
  return services;
}

async function takeLists(taking: Taking, document: ConfigurationDocument): Promise<Map<string, string>> {
  const lists = await takeIn(
    taking,
    'suppressionList',
    document.suppressionLists,
    (one) => one.name,
    nameOf,
    ({ name, data }) => ({ ...data, name }),
  );
  const added = taking.added.suppressionList ?? 0;
  if (added > 0) taking.notes.push(`${added} suppression ${added === 1 ? 'list is' : 'lists are'} empty: import the entries.`);
  return lists;
}

const listIds = (lists: Map<string, string>, names: readonly string[]): string[] =>
  names.map((name) => named(lists, name, 'suppression list'));

function noteSecrets({ notes }: Taking, name: string, secrets: string[]): void {
  if (secrets.length > 0) notes.push(`${name} needs its secrets written again: ${secrets.join(', ')}.`);
}

function checkById(services: Map<string, string>, place: string, { service, ...rest }: NamedCheck): OutsideCheckRule {
  return { serviceId: named(services, inPlace(place, service), 'third-party service'), ...rest };
}

/** From names to ids, within one vertical. */
interface Targets {
  publisherTier: (publisher: string, tier: string) => string;
  publisher: (name: string) => string;
  campaign: (name: string) => string;
}

function targetById(ids: Targets, target: NamedTarget): PromotionTargetView {
  switch (target.kind) {
    case 'subId':
      return target;
    case 'publisherTier':
      return { kind: target.kind, publisherTierId: ids.publisherTier(target.publisher, target.tier) };
    case 'publisher':
      return { kind: target.kind, publisherId: ids.publisher(target.publisher) };
    case 'campaign':
      return { kind: target.kind, campaignId: ids.campaign(target.campaign) };
  }
}

/** What has its name within a vertical. */
const inPlace = (place: string, name: string): string => `${place}\n${name}`.toLowerCase();
const nameOf = (row: Row): string => String(row.name);

/** Adds those of the document whose key no record has; returns every key, in small letters, with its id. */
async function takeIn<One>(
  { change, added, kept }: Taking,
  name: string,
  ones: readonly One[],
  keyOf: (one: One) => string,
  keyOfRow: (row: Row) => string,
  toData: (one: One) => Row,
  onAdded: (one: One) => void = () => {},
): Promise<Map<string, string>> {
  const rows = await all(change, name);
  const ids = new Map(rows.map((row) => [keyOfRow(row).toLowerCase(), String(row._id)]));
  /** As the document spells those it adds; rules name fields to the letter, so of fields those that are there count too. */
  const spelled = new Map(name === 'field' ? rows.map((row) => [keyOfRow(row).toLowerCase(), keyOfRow(row)]) : []);
  for (const [at, one] of ones.entries()) {
    const key = keyOf(one).toLowerCase();
    if ((spelled.get(key) ?? keyOf(one)) !== keyOf(one)) throw told(name, at, sameButForCase(keyOf(one)));
    if (ids.has(key)) {
      kept[name] = (kept[name] ?? 0) + 1;
      continue;
    }
    const row = await addRecord(change, requireModel(name), toData(one)).catch((error) => {
      throw told(name, at, error);
    });
    ids.set(key, String(row.id));
    spelled.set(key, keyOf(one));
    added[name] = (added[name] ?? 0) + 1;
    onAdded(one);
  }
  return ids;
}

/** Names are one name whatever the size of their letters; the second would be taken for the first, and be lost. */
function sameButForCase(key: string): HttpError {
  const name = key.split(/[\n ]/).at(-1);
  return new HttpError(
    409,
    'record_name_taken',
    `"${name}" differs from one that is there already, or that the document brings too, in small and capital letters alone. Write both the same way, or rename one.`,
  );
}

/** The refusal, with where in the document it arose. */
function told(name: string, at: number, error: unknown): unknown {
  if (!(error instanceof HttpError)) return error;
  const where = `${requireModel(name).label} ${at + 1}`;
  return new HttpError(error.statusCode, error.code, `${where}: ${error.message} Nothing was imported.`, {
    ...(error.errors && { errors: error.errors }),
  });
}

function named(ids: Map<string, string>, key: string, what: string): string {
  const id = ids.get(key.toLowerCase());
  if (id) return id;
  throw new HttpError(
    400,
    'configuration_reference',
    `The document names a ${what} "${key.split('\n').at(-1)}" that it does not bring. Nothing was imported.`,
  );
}
