import { Button } from '@mantine/core';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { IconPlus } from '#web/ui/icons.ts';
import type { RecordRow } from '../api/record.ts';
import type { ListSearch } from './list-search.ts';
import { usePlaceIds } from './place-ids.ts';
import { articleOf, type ListSpec, RecordList } from './RecordList.tsx';
import { SetUpPage } from './SetUpPage.tsx';
import { buyers, campaigns, contacts, publishers, services } from './specs.tsx';

/** A whole page with one list; its forms lie below its own address. */
function ListPage({
  spec,
  title,
  path,
  condition,
}: {
  spec: ListSpec;
  title: string;
  path: ListPath;
  condition?: Record<string, unknown>;
}) {
  const search = useSearch({ strict: false }) as ListSearch;
  const navigate = useNavigate();
  const { place } = usePlaceIds();
  const base = `/setup/${place.region}/${place.vertical}/${path}`;
  const add = (like?: RecordRow) =>
    void navigate({ href: `${base}/${path === 'contact' ? 'add' : 'new'}${like ? `?like=${like._id}` : ''}` });
  const open = (row: RecordRow) => void navigate({ href: path === 'contact' ? `${base}/edit/${row._id}` : `${base}/${row._id}` });
  return (
    <SetUpPage
      title={title}
      action={
        <Button size="sm" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => add()}>
          Add {articleOf(spec.one)}
        </Button>
      }
    >
      <RecordList
        spec={spec}
        {...(condition && { condition })}
        search={search}
        onSearch={(next) => void navigate({ to: '.', search: next as never, replace: true })}
        onOpen={open}
        onAdd={add}
      />
    </SetUpPage>
  );
}

type ListPath = 'publishers' | 'buyers' | 'campaigns' | 'contact' | 'third-party-service';

export const Publishers = () => <ListPage spec={publishers} title="Publishers" path="publishers" />;
export const Buyers = () => <ListPage spec={buyers} title="Buyers" path="buyers" />;
export const Contacts = () => <ListPage spec={contacts} title="Contacts" path="contact" />;
export const Campaigns = () => <VerticalListPage spec={campaigns} title="Campaigns" path="campaigns" />;
export const Services = () => <VerticalListPage spec={services} title="Third-party services" path="third-party-service" />;

/** Only what lies in the vertical at hand. */
function VerticalListPage(props: { spec: ListSpec; title: string; path: ListPath }) {
  const { verticalId } = usePlaceIds();
  return <ListPage key={useParams({ strict: false }).vertical} {...props} condition={{ verticalId }} />;
}
