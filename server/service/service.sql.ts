/** Which tiers ask a service, and whether a tier may. */
import type { OutsideCheckRule } from '#contract/service.ts';
import { HttpError } from '#server/kit/http-error.ts';
import type { Tx } from '#server/record/record-model.ts';

/** One sentence for each tier that is not archived. */
export async function listTiersAsking(tx: Tx, organizationId: string, serviceId: string): Promise<string[]> {
  const [publisherTiers, buyerTiers] = await Promise.all([
    tx
      .selectFrom('publisher_tier')
      .select('name')
      .where('organization_id', '=', organizationId)
      .where('p2c_service_id', '=', serviceId)
      .where('status', '<>', 'archived')
      .execute(),
    tx
      .selectFrom('buyer_tier')
      .select('name')
      .where('organization_id', '=', organizationId)
      .where('third_party_service_id', '=', serviceId)
      .where('status', '<>', 'archived')
      .execute(),
  ]);
  return [
    ...publisherTiers.map(({ name }) => `Publisher tier ${name} asks it (P2C).`),
    ...buyerTiers.map(({ name }) => `Buyer tier ${name} asks it (third-party validation).`),
  ];
}

/**
 * A tier asks a service of its own vertical that is not archived; else 400. The service is held until the change commits, so that
 * nobody archives it meanwhile.
 */
export async function requireService(
  tx: Tx,
  organizationId: string,
  { field, check, verticalId }: { field: 'p2c' | 'thirdParty'; check: OutsideCheckRule | null; verticalId: string },
): Promise<void> {
  if (!check) return;
  const found = await tx
    .selectFrom('service')
    .select('status')
    .where('organization_id', '=', organizationId)
    .where('id', '=', check.serviceId)
    .where('vertical_id', '=', verticalId)
    .forShare()
    .executeTakeFirst();
  if (found && found.status !== 'archived') return;
  const message = found
    ? 'This service is archived. Restore it, or choose another.'
    : 'There is no such service in the vertical of this tier.';
  const code = found ? 'service_archived' : 'service_unknown';
  throw new HttpError(400, code, message, { errors: [{ field: `${field}.serviceId`, message }] });
}
