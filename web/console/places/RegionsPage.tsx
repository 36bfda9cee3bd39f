import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { IconPlus } from '#web/ui/icons.ts';
import type { RecordRow } from '../api/record.ts';
import type { ListSearch } from '../set-up/list-search.ts';
import { articleOf, type ListSpec, RecordList } from '../set-up/RecordList.tsx';
import { regions, verticals } from '../set-up/specs.tsx';
import { PageTabs } from '../shell/PageTabs.tsx';
import { useSetup } from '../shell/use-place.ts';
import { RegionDialog } from './RegionDialog.tsx';

const AddVertical = lazy(() => import('../vertical/AddVertical.tsx').then((module) => ({ default: module.AddVertical })));

type Opened = { what: 'region'; row?: RecordRow } | { what: 'vertical' };

/** Console §3: the countries an organization works in and the verticals in them: added, renamed, archived and brought back. */
export function RegionsPage() {
  const [opened, setOpened] = useState<Opened | null>(null);
  const openVertical = useOpenVertical();
  const close = () => setOpened(null);
  return (
    <div className="page">
      <title>Regions and verticals · Sluice</title>
      <div className="page-head">
        <h1>Regions and verticals</h1>
      </div>
      <PageTabs of="organization" />
      <List
        title="Regions"
        spec={regions}
        onOpen={(row) => setOpened({ what: 'region', row })}
        onAdd={() => setOpened({ what: 'region' })}
      />
      <List title="Verticals" spec={verticals} onOpen={openVertical} onAdd={() => setOpened({ what: 'vertical' })} />
      {opened?.what === 'region' && <RegionDialog row={opened.row} onClose={close} />}
      {opened?.what === 'vertical' && (
        <Suspense>
          <AddVertical regionId={undefined} onClose={close} />
        </Suspense>
      )}
    </div>
  );
}

interface ListProps {
  title: string;
  spec: ListSpec;
  onOpen: (row: RecordRow) => void;
  onAdd: () => void;
}

function List({ title, spec, onOpen, onAdd }: ListProps) {
  const [search, setSearch] = useState<ListSearch>({});
  return (
    <div className="belongings">
      <div className="set-up-head">
        <h2>{title}</h2>
        <Button size="xs" variant="default" leftSection={<IconPlus size={15} aria-hidden />} onClick={onAdd}>
          Add {articleOf(spec.one)}
        </Button>
      </div>
      <RecordList spec={spec} search={search} onSearch={setSearch} onOpen={onOpen} onAdd={onAdd} />
    </div>
  );
}

/** A vertical opens at its configuration; of an archived one the leads are there to read. */
function useOpenVertical(): (row: RecordRow) => void {
  const { places } = useSetup();
  const navigate = useNavigate();
  const all = [...places.regions, ...places.archived.map((one) => one.region)];
  return (row) => {
    const region = all.find((one) => one._id === row.regionId);
    const page = row.status === 'archived' ? 'leads' : 'configuration';
    if (region) void navigate({ href: `/setup/${region.slug}/${row.slug}/${page}` });
  };
}
