/** Everything that is set up, by names; archived records stay behind. */
import type { ConfigurationDocument, NamedCheck } from '#contract/configuration-document.ts';
import type { OutsideCheckRule } from '#contract/service.ts';
import { listGroups } from '#server/campaign/tree.sql.ts';
import { LIST_MOST, listRows } from '#server/record/record.sql.ts';
import { type Change, requireModel } from '#server/record/record-change.ts';
import { viewRecord } from '#server/record/record-data.ts';
import type { Row } from '#server/record/record-model.ts';

export async function exportConfiguration(change: Change): Promise<ConfigurationDocument> {
  const [regions, verticals, fields] = [await all(change, 'region'), await all(change, 'vertical'), await all(change, 'field')];
  const [buyers, buyerTiers, campaigns] = [await all(change, 'buyer'), await all(change, 'buyerTier'), await all(change, 'campaign')];
  const [publishers, publisherTiers, contacts] = [
    await all(change, 'publisher'),
    await all(change, 'publisherTier'),
    await all(change, 'contact'),
  ];
  const services = await all(change, 'service');
  const serviceOf = byId(services);
  const regionOf = byId(regions);
  const slugs = new Map(verticals.map((one) => [String(one._id), `${regionOf.get(String(one.regionId))!.slug}/${one.slug}`]));
  const placeOf = (row: Row) => slugs.get(String(row.verticalId))!;
  const tierOf = byId(buyerTiers);
  const groupsOf = async (campaign: Row) => {
    const groups = await listGroups(change.tx, change.person.organizationId, String(campaign._id));
    return groups.map(({ _id, members, ...group }) => ({
      ...group,
      members: members.flatMap(({ buyerTierId, weight }) => {
        const tier = tierOf.get(buyerTierId);
        return tier ? [{ buyer: String(tier.buyerName), tier: String(tier.name), weight }] : [];
      }),
    }));
  };
  return {
    format: 'sluice-configuration',
    version: 1,
    regions: regions.map(({ slug, name, country }) => ({ slug: String(slug), name: String(name), country: String(country) })),
    verticals: verticals.map((one) => ({
      place: slugs.get(String(one._id))!,
      name: String(one.name),
      primaryField: String(one.primaryField),
      fields: fields.filter((field) => field.verticalId === one._id).map((field) => writable('field', field, ['verticalId'])),
    })),
    services: services.map((one) => ({
      name: String(one.name),
      place: placeOf(one),
      data: writable('service', one, ['name', 'verticalId', 'secrets']),
      secrets: one.secrets as string[],
    })),
    buyers: buyers.map((one) => ({ name: String(one.name), data: writable('buyer', one, ['name']) })),
    buyerTiers: buyerTiers.map((one) => ({
      name: String(one.name),
      buyer: String(one.buyerName),
      place: placeOf(one),
      data: writable('buyerTier', one, ['name', 'buyerId', 'verticalId', 'secrets', 'thirdParty']),
      ...nameCheck('thirdParty', one.thirdParty as OutsideCheckRule | null, serviceOf),
      secrets: one.secrets as string[],
    })),
    campaigns: await Promise.all(
      campaigns.map(async (one) => ({
        name: String(one.name),
        place: placeOf(one),
        data: writable('campaign', one, ['name', 'verticalId']),
        groups: await groupsOf(one),
      })),
    ),
    publishers: publishers.map((one) => ({
      name: String(one.name),
      affiliateId: String(one.affiliateId),
      data: writable('publisher', one, ['name', 'affiliateId']),
    })),
    publisherTiers: publisherTiers.map((one) => ({
      name: String(one.name),
      publisher: String(one.publisherName),
      campaign: String(one.campaignName),
      place: placeOf(one),
      data: writable('publisherTier', one, ['name', 'publisherId', 'campaignId', 'p2c']),
      ...nameCheck('p2c', one.p2c as OutsideCheckRule | null, serviceOf),
    })),
    contacts: contacts.map((one) => ({
      company: String(one.company),
      kind: one.publisherId ? ('publisher' as const) : ('buyer' as const),
      data: writable('contact', one, ['publisherId', 'buyerId']),
    })),
  };
}

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

/** A check of a service that is archived stays behind, as the service does. */
function nameCheck<Key extends string>(
  key: Key,
  check: OutsideCheckRule | null,
  services: Map<string, Row>,
): { [one in Key]?: NamedCheck } {
  const service = check && services.get(check.serviceId);
  if (!service) return {};
  const { serviceId: _, ...rest } = check;
  return { [key]: { service: String(service.name), ...rest } } as { [one in Key]?: NamedCheck };
}

function writable(name: string, row: Row, but: string[]): Row {
  const { fields } = requireModel(name);
  return Object.fromEntries(Object.entries(row).filter(([key, value]) => fields[key]?.write && !but.includes(key) && value !== null));
}
