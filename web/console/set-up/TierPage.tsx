import { useParams, useSearch } from '@tanstack/react-router';
import { BuyerTierPage } from './BuyerTierPage.tsx';
import { PublisherTierPage } from './PublisherTierPage.tsx';

/** tier/add and tier/edit/{id}: of a publisher or of a buyer, as the address says. */
export function TierPage() {
  const { id } = useParams({ strict: false });
  const { of, buyerId, publisherId, campaignId } = useSearch({ strict: false }) as Record<string, string | undefined>;
  const isBuyers = of ? of === 'buyer' : buyerId !== undefined;
  if (isBuyers) return <BuyerTierPage key={id} id={id} buyerId={buyerId} />;
  return <PublisherTierPage key={id} id={id} publisherId={publisherId} campaignId={campaignId} />;
}
