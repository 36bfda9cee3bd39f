/** Everything that is set up, by names; archived records stay behind, and what belongs to one or asks one, which is noted. */
import type { ConfigurationDocument, NamedCheck, NamedTarget } from '#contract/configuration-document.ts';
import { DOCUMENT_MAX_BYTES } from '#contract/document-size.ts';
import type { PromotionTargetView } from '#contract/promotion.ts';
import type { OutsideCheckRule } from '#contract/service.ts';
import { listGroups } from '#server/campaign/tree.sql.ts';
import { LIST_MOST, listRows } from '#server/record/record.sql.ts';
import { type Change, requireModel } from '#server/record/record-change.ts';
import { viewRecord } from '#server/record/record-data.ts';
import type { Row } from '#server/record/record-model.ts';
import { besideData } from './beside-data.ts';
import { SPARE_BYTES, takeSamples } from './take-samples.ts';

/** `withSamples`: those of buyer tiers, as far as an import takes the document with them. */
export async function exportConfiguration(change: Change, withSamples = true): Promise<ConfigurationDocument> {
  const notes: string[] = [];
  const kept = new Map<string, Map<string, Row>>();
  /** The living ones of a model whose parents are living, too. */
  const take = async (name: string): Promise<Row[]> => {
    const { label, fields } = requireModel(name);
    const references = Object.entries(fields).filter(([, { refers }]) => refers);
    const rows = (await all(change, name)).filter((row) => {
      const gone = references.find(([key, { refers }]) => row[key] && !kept.get(refers!)!.has(String(row[key])));
      if (gone) notes.push(`${label} ${titleOf(row)} stayed behind, as its ${requireModel(gone[1].refers!).label.toLowerCase()} did.`);
      return !gone;
    });
    kept.set(name, byId(rows));
    return rows;
  };
  // What is referred to comes first.
  const [regions, verticals] = [await take('region'), await take('vertical')];
  // An archived vertical keeps its fields, and nothing is missing without them.
  const fields = await all(change, 'field');
  const [services, buyers, buyerTiers] = [await take('service'), await take('buyer'), await take('buyerTier')];
  const [campaigns, publishers, publisherTiers] = [await take('campaign'), await take('publisher'), await take('publisherTier')];
  const promotions = await take('promotion');
  const contacts = await take('contact');
  const lists = await take('suppressionList');
  const listOf = kept.get('suppressionList')!;
  /** The lists that are living, as a tier that names another takes nobody. */
  const nameLists = (tier: Row): string[] =>
    (tier.suppressionLists as string[]).flatMap((id) => {
      const list = listOf.get(id);
      if (!list)
        notes.push(
          `${tier.buyerName ? 'Buyer tier' : 'Publisher tier'} ${titleOf(tier)} uses a suppression list that is archived: it stayed behind.`,
        );
      return list ? [String(list.name)] : [];
    });
  const serviceOf = kept.get('service')!;
  const regionOf = kept.get('region')!;
  const slugs = new Map(verticals.map((one) => [String(one._id), `${regionOf.get(String(one.regionId))!.slug}/${one.slug}`]));
  const placeOf = (row: Row) => slugs.get(String(row.verticalId))!;
  const tierOf = kept.get('buyerTier')!;
  const groupsOf = async (campaign: Row) => {
    const groups = await listGroups(change.tx, change.person.organizationId, String(campaign._id));
    return groups.map(({ _id, members, ...group }) => ({
      ...group,
      members: members.flatMap(({ buyerTierId, weight }) => {
        const tier = tierOf.get(buyerTierId);
        if (!tier) notes.push(`A tier of group ${group.name} in campaign ${campaign.name} stayed behind, and its seat with it.`);
        return tier ? [{ buyer: String(tier.buyerName), tier: String(tier.name), weight }] : [];
      }),
    }));
  };
  /** A check of a service that is archived stays behind, as the service does. */
  const nameCheck = <Key extends 'p2c' | 'thirdParty'>(key: Key, tier: Row): { [one in Key]?: NamedCheck } => {
    const check = tier[key] as OutsideCheckRule | null;
    if (!check) return {};
    const { serviceId, ...rest } = check;
    const service = serviceOf.get(serviceId);
    if (service) return { [key]: { service: String(service.name), ...rest } } as { [one in Key]?: NamedCheck };
    const asker = key === 'p2c' ? 'Publisher tier' : 'Buyer tier';
    notes.push(`${asker} ${titleOf(tier)} asks a service that is archived: that check stayed behind.`);
    return {};
  };
  const seatOf = kept.get('publisherTier')!;
  /** None where it is for something archived. */
  const nameTarget = (promotion: Row): NamedTarget | undefined => {
    const target = promotion.target as PromotionTargetView;
    switch (target.kind) {
      case 'subId':
        return target;
      case 'publisherTier': {
        const seat = seatOf.get(target.publisherTierId);
        return seat && { kind: target.kind, publisher: String(seat.publisherName), tier: String(seat.name) };
      }
      case 'publisher': {
        const publisher = kept.get('publisher')!.get(target.publisherId);
        return publisher && { kind: target.kind, publisher: String(publisher.name) };
      }
      case 'campaign': {
        const campaign = kept.get('campaign')!.get(target.campaignId);
        return campaign && { kind: target.kind, campaign: String(campaign.name) };
      }
    }
  };
  const document: ConfigurationDocument = {
    format: 'sluice-configuration',
    version: 1,
    regions: regions.map(({ slug, name, country }) => ({ slug: String(slug), name: String(name), country: String(country) })),
    verticals: verticals.map((one) => ({
      place: slugs.get(String(one._id))!,
      name: String(one.name),
      primaryField: String(one.primaryField),
      fields: fields.filter((field) => field.verticalId === one._id).map((field) => writable('field', field)),
    })),
    services: services.map((one) => ({
      name: String(one.name),
      place: placeOf(one),
      data: writable('service', one),
      secrets: one.secrets as string[],
    })),
    suppressionLists: lists.map((one) => ({ name: String(one.name), data: writable('suppressionList', one) })),
    buyers: buyers.map((one) => ({ name: String(one.name), data: writable('buyer', one) })),
    buyerTiers: buyerTiers.map((one) => ({
      name: String(one.name),
      buyer: String(one.buyerName),
      place: placeOf(one),
      data: writable('buyerTier', one),
      ...nameCheck('thirdParty', one),
      suppressionLists: nameLists(one),
      secrets: one.secrets as string[],
      samples: [],
    })),
    campaigns: await Promise.all(
      campaigns.map(async (one) => ({
        name: String(one.name),
        place: placeOf(one),
        data: writable('campaign', one),
        groups: await groupsOf(one),
      })),
    ),
    publishers: publishers.map((one) => ({
      name: String(one.name),
      affiliateId: String(one.affiliateId),
      data: writable('publisher', one),
    })),
    publisherTiers: publisherTiers.map((one) => ({
      name: String(one.name),
      publisher: String(one.publisherName),
      campaign: String(one.campaignName),
      place: placeOf(one),
      data: writable('publisherTier', one),
      ...nameCheck('p2c', one),
      suppressionLists: nameLists(one),
    })),
    promotions: promotions.flatMap((one) => {
      const target = nameTarget(one);
      if (!target) notes.push(`Promotion ${one.name} is for something archived: it stayed behind.`);
      return target ? [{ name: String(one.name), place: placeOf(one), for: target, data: writable('promotion', one) }] : [];
    }),
    contacts: contacts.map((one) => ({
      company: String(one.company),
      kind: one.publisherId ? ('publisher' as const) : ('buyer' as const),
      data: writable('contact', one),
    })),
    notes,
  };
  const bytes = Buffer.byteLength(JSON.stringify(document));
  if (bytes > DOCUMENT_MAX_BYTES - SPARE_BYTES) notes.push(TOO_LARGE);
  if (!withSamples) return document;
  const tiers = buyerTiers.map((one) => ({ id: String(one._id), title: titleOf(one), endpoint: one.endpoint }));
  const samples = await takeSamples(change, tiers, bytes);
  for (const [at, { id }] of tiers.entries()) document.buyerTiers[at]!.samples = samples.samplesOf.get(id) ?? [];
  notes.push(...samples.notes);
  return document;
}

const TOO_LARGE =
  'This document is larger than the 20 MiB that an import takes: take it in by parts, buyers before the campaigns that name them.';

/** Every record that is not archived, however many. */
export async function all({ tx, person, keys }: Change, name: string): Promise<Row[]> {
  const model = requireModel(name);
  const rows: Row[] = [];
  for (let skip = 0; ; skip += LIST_MOST) {
    const page = await listRows(tx, model, person, { skip, limit: LIST_MOST });
    rows.push(...page.map((row) => viewRecord(model, row, keys)));
    if (page.length < LIST_MOST) return rows;
  }
}

const byId = (rows: Row[]): Map<string, Row> => new Map(rows.map((row) => [String(row._id), row]));

/** As a person finds it: "Acme, Main tier". */
const titleOf = (row: Row): string =>
  [row.buyerName ?? row.publisherName ?? row.company, row.name ?? `${row.firstName} ${row.lastName}`.trim()].filter(Boolean).join(', ');

function writable(name: keyof typeof besideData, row: Row): Row {
  const { fields } = requireModel(name);
  const but: readonly string[] = besideData[name];
  return Object.fromEntries(Object.entries(row).filter(([key, value]) => fields[key]?.write && !but.includes(key) && value !== null));
}
