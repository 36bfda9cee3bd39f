/** Which samples of buyer tiers a configuration brings along: those that their endpoints pass, as far as an import takes the whole of it. */
import type { ConfigurationDocument } from '#contract/configuration-document.ts';
import { DOCUMENT_MAX_BYTES } from '#contract/document-size.ts';
import type { Change } from '#server/record/record-change.ts';
import { findFailedSamples, type SampledTier } from '#server/sample/require-samples.ts';
import { listSamples, sizeSamples } from '#server/sample/sample.sql.ts';

type Samples = ConfigurationDocument['buyerTiers'][number]['samples'];

/** So much is opened at once. */
const CHUNK_BYTES = 4 * 1024 * 1024;
/** For what is said of those that stayed behind, and the body around the document. */
export const SPARE_BYTES = 64 * 1024;
/** A note stays readable. */
const NAMED = 3;
const TITLE_LETTERS = 200;

/** By tier, of the first tiers that `bytes` of a document leave room for; `notes` say which stayed behind, and why. */
export async function takeSamples(
  change: Change,
  tiers: readonly SampledTier[],
  bytes: number,
): Promise<{ samplesOf: Map<string, Samples>; notes: string[] }> {
  const { tx, person } = change;
  const sizes = await sizeSamples(tx, person.organizationId);
  const taken = { samplesOf: new Map<string, Samples>(), notes: [] as string[], room: DOCUMENT_MAX_BYTES - SPARE_BYTES - bytes };
  const large: string[] = [];
  let chunk: SampledTier[] = [];
  let chunkBytes = 0;
  const flush = async () => {
    large.push(...(await takeChunk(change, chunk, taken)));
    [chunk, chunkBytes] = [[], 0];
  };
  for (const tier of tiers) {
    const size = sizes.get(tier.id);
    if (size === undefined) continue;
    if (chunkBytes + size > CHUNK_BYTES) await flush();
    // What is sealed is no longer than as JSON in a document.
    if (size > taken.room) large.push(tier.title);
    else chunk.push(tier);
    if (size <= taken.room) chunkBytes += size;
  }
  await flush();
  if (large.length > 0) taken.notes.push(sayLarge(large));
  return taken;
}

/** Returns the titles of tiers for which there is no room. */
async function takeChunk(
  { tx, person: { organizationId }, keys }: Change,
  tiers: readonly SampledTier[],
  taken: { samplesOf: Map<string, Samples>; notes: string[]; room: number },
): Promise<string[]> {
  // One that its endpoint fails would keep the tree from being published where it is imported.
  const failed = await findFailedSamples(tx, organizationId, tiers, keys);
  for (const { tier, name } of failed)
    taken.notes.push(`Sample ${name} of ${tier.title} stayed behind: the endpoint reads it otherwise than it should.`);
  const left = new Set(failed.map(({ tier, name }) => `${tier.id} ${name}`));
  const ids = tiers.map(({ id }) => id);
  const found = (await listSamples(tx, organizationId, ids, keys)).filter((one) => !left.has(`${one.buyerTierId} ${one.name}`));
  const byTier = Map.groupBy(found, ({ buyerTierId }) => buyerTierId);
  return tiers.flatMap(({ id, title }) => {
    const samples = (byTier.get(id) ?? []).map(({ buyerTierId: _, ...sample }) => sample);
    const size = Buffer.byteLength(JSON.stringify(samples));
    if (size > taken.room) return [title];
    taken.room -= size;
    taken.samplesOf.set(id, samples);
    return [];
  });
}

function sayLarge(titles: readonly string[]): string {
  const more = titles.length - NAMED;
  const named = `${titles
    .slice(0, NAMED)
    .map((title) => title.slice(0, TITLE_LETTERS))
    .join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
  return `Samples of ${titles.length === 1 ? 'a buyer tier' : `${titles.length} buyer tiers`} stayed behind, as with them the document would be larger than the 20 MiB that an import takes: ${named}.`;
}
