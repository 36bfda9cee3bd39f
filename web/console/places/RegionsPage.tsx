import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { IconPlus } from '#web/ui/icons.ts';
import { toast } from '#web/ui/toast.ts';
import { type RecordRow, recordQuery } from '../api/record.ts';
import { type InnerList, type ListSearch, readInnerList, writeInnerList } from '../set-up/list-search.ts';
import { articleOf, type ListSpec, RecordList } from '../set-up/RecordList.tsx';
import { regions, verticals } from '../set-up/specs.tsx';
import { PageTabs } from '../shell/PageTabs.tsx';
import { useSetup } from '../shell/use-place.ts';
import { RegionDialog } from './RegionDialog.tsx';

const AddVertical = lazy(() => import('../vertical/AddVertical.tsx').then((module) => ({ default: module.AddVertical })));

/** Console §3: the countries an organization works in and the verticals in them: added, renamed, archived and brought back. */
export function RegionsPage() {
  const { region, ...lists } = useSearch({ from: '/framed/regions' });
  const navigate = useNavigate();
  const [adding, setAdding] = useState<'region' | 'vertical' | null>(null);
  const hrefOfVertical = useVerticalAddress();
  const close = () => {
    setAdding(null);
    if (region) void navigate({ to: '/regions', search: { ...lists, region: undefined }, replace: true });
  };
  return (
    <div className="page">
      <title>Regions and verticals · Sluice</title>
      <div className="page-head">
        <h1>Regions and verticals</h1>
      </div>
      <PageTabs of="organization" />
      <List
        list="regions"
        title="Regions"
        spec={regions}
        hrefOf={(row) => `/regions?region=${row._id}`}
        onAdd={() => setAdding('region')}
      />
      <List list="verticals" title="Verticals" spec={verticals} hrefOf={hrefOfVertical} onAdd={() => setAdding('vertical')} />
      {adding === 'region' && <RegionDialog onClose={close} />}
      {region && <OpenRegion key={region} id={region} onClose={close} />}
      {adding === 'vertical' && (
        <Suspense>
          <AddVertical regionId={undefined} onClose={close} />
        </Suspense>
      )}
    </div>
  );
}

function OpenRegion({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error } = useQuery(recordQuery('region', id));
  useEffect(() => {
    if (!error) return;
    void toast('error', error.message);
    onClose();
  });
  return data && <RegionDialog row={data} onClose={onClose} />;
}

interface ListProps {
  /** Its part of the page's address. */
  list: InnerList;
  title: string;
  spec: ListSpec;
  hrefOf: (row: RecordRow) => string;
  onAdd: () => void;
}

function List({ list, title, spec, hrefOf, onAdd }: ListProps) {
  const shown = useSearch({ from: '/framed/regions' });
  const navigate = useNavigate();
  const others = Object.fromEntries(Object.entries(shown).filter(([name]) => !name.startsWith(`${list}.`)));
  const setSearch = (next: ListSearch) =>
    void navigate({ to: '.', search: { ...others, ...writeInnerList(list, next) } as never, replace: true, resetScroll: false });
  return (
    <div className="belongings">
      <div className="set-up-head">
        <h2>{title}</h2>
        <Button size="xs" variant="default" leftSection={<IconPlus size={15} aria-hidden />} onClick={onAdd}>
          Add {articleOf(spec.one)}
        </Button>
      </div>
      <RecordList spec={spec} search={readInnerList(shown, list)} onSearch={setSearch} hrefOf={hrefOf} onAdd={onAdd} />
    </div>
  );
}

/** A vertical opens at its configuration; of an archived one the leads are there to read. */
function useVerticalAddress(): (row: RecordRow) => string {
  const { places } = useSetup();
  const all = [...places.regions, ...places.archived.map((one) => one.region)];
  return (row) => {
    const region = all.find((one) => one._id === row.regionId);
    const page = row.status === 'archived' ? 'leads' : 'configuration';
    return region ? `/setup/${region.slug}/${row.slug}/${page}` : '/regions';
  };
}
