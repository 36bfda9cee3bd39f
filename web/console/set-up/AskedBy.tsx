import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatCount } from '#web/ui/format.ts';
import { SkeletonLines } from '#web/ui/states.tsx';
import { recordsQuery } from '../api/record.ts';
import { usePlaceIds } from './place-ids.ts';

const SHOWN = 50;

/** Which tiers ask a service; as long as there are any it cannot be archived. */
export function AskedBy({ serviceId }: { serviceId: string }) {
  const { place } = usePlaceIds();
  const asking = (model: string, by: string, owner: string) =>
    recordsQuery({ model, condition: { [by]: serviceId }, fields: ['name', owner], limit: SHOWN, sort: [{ field: 'name' }] });
  const publisherTiers = useQuery(asking('publisherTier', 'p2cServiceId', 'publisherName'));
  const buyerTiers = useQuery(asking('buyerTier', 'thirdPartyServiceId', 'buyerName'));
  const total = (publisherTiers.data?.total ?? 0) + (buyerTiers.data?.total ?? 0);
  const base = `/setup/${place.region}/${place.vertical}/tier/edit`;
  const tiers = [
    ...(publisherTiers.data?.data ?? []).map((one) => ({
      _id: one._id,
      name: String(one.name),
      of: 'publisher',
      why: `P2C, ${one.publisherName}`,
    })),
    ...(buyerTiers.data?.data ?? []).map((one) => ({
      _id: one._id,
      name: String(one.name),
      of: 'buyer',
      why: `third-party validation, ${one.buyerName}`,
    })),
  ];
  return (
    <section className="belongings" aria-labelledby="asked-by">
      <h2 id="asked-by">Asked by</h2>
      {publisherTiers.isPending || buyerTiers.isPending ? (
        <SkeletonLines count={2} height={20} />
      ) : tiers.length === 0 ? (
        <p className="muted">
          No tier asks it yet. Choose it in a publisher tier under “P2C”, or in a buyer tier under “Third-party validation”.
        </p>
      ) : (
        <ul className="asked-by">
          {tiers.map(({ _id, name, of, why }) => (
            <li key={_id}>
              <Link to={`${base}/${_id}` as '/'} search={{ of } as never} className="link">
                {name}
              </Link>{' '}
              <span className="muted small">{why}</span>
            </li>
          ))}
          {total > tiers.length && <li className="muted small">and {formatCount(total - tiers.length)} more</li>}
        </ul>
      )}
    </section>
  );
}
