/** No endpoint is saved, and no tree published, that reads a kept answer of a buyer otherwise than it must. */
import { endpointConfig } from '#contract/endpoint.ts';
import type { OrganizationKeys } from '#server/kit/crypto.ts';
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { judgeSamples } from './judge-sample.ts';
import { listSampledTiers, listSamples } from './sample.sql.ts';

/** A tier with the endpoint as it is stored. */
export interface SampledTier {
  id: string;
  /** 'Acme, Night'. */
  title: string;
  endpoint: unknown;
}

/** What each sample that fails is called, and its first difference. */
export interface FailedSample {
  tier: SampledTier;
  name: string;
  difference: string;
}

export async function findFailedSamples(
  db: Db,
  organizationId: string,
  tiers: readonly SampledTier[],
  keys: () => OrganizationKeys,
): Promise<FailedSample[]> {
  const samples = await listSamples(
    db,
    organizationId,
    tiers.map(({ id }) => id),
    keys,
  );
  const byTier = Map.groupBy(samples, ({ buyerTierId }) => buyerTierId);
  return tiers.flatMap((tier) => {
    const own = byTier.get(tier.id) ?? [];
    if (own.length === 0) return [];
    // Stored under the rules of its time; what those of today refuse is told as of any other tier.
    const endpoint = endpointConfig.safeParse(tier.endpoint);
    if (!endpoint.success)
      return [{ tier, name: own[0]!.name, difference: `The endpoint itself is refused: ${endpoint.error.issues[0]!.message}` }];
    const judgements = judgeSamples(endpoint.data, own);
    return judgements.flatMap(({ differences: [difference] }, at) => (difference ? [{ tier, name: own[at]!.name, difference }] : []));
  });
}

const sayFailed = ({ name, difference }: FailedSample): string => `Sample “${name}”: ${difference}`;

/** Throws 422 with every sample that the endpoint fails. */
export async function requireSamplesPass(db: Db, organizationId: string, tier: SampledTier, keys: () => OrganizationKeys): Promise<void> {
  const failed = await findFailedSamples(db, organizationId, [tier], keys);
  if (failed.length === 0) return;
  const message = `The endpoint is not saved, because it misreads what is kept of this buyer. ${failed.slice(0, 3).map(sayFailed).join(' ')} Mend the endpoint, or the sample.`;
  throw new HttpError(422, 'endpoint_sample_failed', message, {
    errors: failed.map((one) => ({ field: 'endpoint.samples', message: sayFailed(one) })),
  });
}

/** Throws 409 where one of the tiers of a tree fails a sample. */
export async function requireTreePasses(
  db: Db,
  organizationId: string,
  buyerTierIds: string[],
  keys: () => OrganizationKeys,
): Promise<void> {
  const tiers = await listSampledTiers(db, organizationId, buyerTierIds);
  const failed = await findFailedSamples(db, organizationId, tiers, keys);
  if (failed.length === 0) return;
  const said = failed.map((one) => `${one.tier.title}: ${sayFailed(one)}`);
  throw new HttpError(
    409,
    'tree_sample_failed',
    `The tree does not go live. ${said.slice(0, 3).join(' ')} Mend the endpoint of the tier, or the sample.`,
    {
      errors: said.map((message) => ({ field: 'groups', message })),
    },
  );
}
