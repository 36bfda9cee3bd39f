import { Button, SegmentedControl } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { IconPlus } from '#web/ui/icons.ts';
import type { RecordRow } from '../api/record.ts';
import type { ListSearch } from './list-search.ts';
import { usePlaceIds } from './place-ids.ts';
import { articleOf, type ListSpec, RecordList } from './RecordList.tsx';
import { SetUpPage } from './SetUpPage.tsx';
import { allBuyerTiers, allPublisherTiers, buyers, campaigns, cards, contacts, publishers, services } from './specs.tsx';
import '@mantine/core/styles/FloatingIndicator.css';
import '@mantine/core/styles/SegmentedControl.css';

/** A list and where its records are added and edited, below region and vertical. */
interface ListPlace {
  spec: ListSpec;
  title: string;
  add: string;
  edit: (id: string) => string;
  inVertical?: true;
}

const tiersOf = (of: 'publisher' | 'buyer', spec: ListSpec): ListPlace => ({
  spec,
  title: `${of === 'buyer' ? 'Buyer' : 'Publisher'} tiers`,
  add: `tier/add?of=${of}`,
  edit: (id) => `tier/edit/${id}?of=${of}`,
  inVertical: true,
});

/** A whole page with one list; its forms lie below its own address. */
function ListPage({ place: main, tiers }: { place: ListPlace; tiers?: ListPlace }) {
  const search = useSearch({ strict: false }) as ListSearch;
  const navigate = useNavigate();
  const { place, verticalId } = usePlaceIds();
  const shown = tiers && search.list === 'tiers' ? tiers : main;
  const base = `/setup/${place.region}/${place.vertical}`;
  const turn = (next: ListSearch) => void navigate({ to: '.', search: next as never, replace: true });
  const add = (like?: RecordRow) =>
    void navigate({ href: `${base}/${shown.add}${like ? `${shown.add.includes('?') ? '&' : '?'}like=${like._id}` : ''}` });
  return (
    <SetUpPage
      title={main.title}
      action={
        <Button size="sm" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => add()}>
          Add {articleOf(shown.spec.one)}
        </Button>
      }
    >
      {tiers && (
        <SegmentedControl
          className="list-switch"
          aria-label="Which list"
          data={[
            { value: 'main', label: main.title },
            { value: 'tiers', label: tiers.title },
          ]}
          value={search.list ?? 'main'}
          onChange={(list) => turn(list === 'tiers' ? { list } : {})}
        />
      )}
      <RecordList
        key={`${shown.spec.model} ${shown.inVertical ? verticalId : ''}`}
        spec={shown.spec}
        {...(shown.inVertical && { condition: { verticalId } })}
        search={search}
        onSearch={(next) => turn({ ...next, list: search.list })}
        hrefOf={(row) => `${base}/${shown.edit(row._id)}`}
        onAdd={add}
      />
    </SetUpPage>
  );
}

const ownPages = (spec: ListSpec, title: string, path: string): ListPlace => ({
  spec,
  title,
  add: `${path}/new`,
  edit: (id) => `${path}/${id}`,
});

const publisherPlace = ownPages(publishers, 'Publishers', 'publishers');
const publisherTierPlace = tiersOf('publisher', allPublisherTiers);
const buyerPlace = ownPages(buyers, 'Buyers', 'buyers');
const buyerTierPlace = tiersOf('buyer', allBuyerTiers);
const campaignPlace: ListPlace = { ...ownPages(campaigns, 'Campaigns', 'campaigns'), inVertical: true };
const servicePlace: ListPlace = { ...ownPages(services, 'Third-party services', 'third-party-service'), inVertical: true };
const contactPlace: ListPlace = { spec: contacts, title: 'Contacts', add: 'contact/add', edit: (id) => `contact/edit/${id}` };

const cardPlace: ListPlace = { ...ownPages(cards, 'Cards', 'cards'), inVertical: true };

export const Publishers = () => <ListPage place={publisherPlace} tiers={publisherTierPlace} />;
export const Buyers = () => <ListPage place={buyerPlace} tiers={buyerTierPlace} />;
export const Campaigns = () => <ListPage place={campaignPlace} />;
export const Services = () => <ListPage place={servicePlace} />;
export const Cards = () => <ListPage place={cardPlace} />;
export const Contacts = () => <ListPage place={contactPlace} />;
