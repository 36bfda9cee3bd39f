import { Button } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { IconPlus } from '#web/ui/icons.ts';
import type { ListSearch } from '../set-up/list-search.ts';
import { usePlaceIds } from '../set-up/place-ids.ts';
import { articleOf, type ListSpec, RecordList } from '../set-up/RecordList.tsx';
import { usePermissionHere } from '../shell/use-place.ts';
import { BulkMoveDialog } from './BulkMoveDialog.tsx';
import { ListsPage } from './ListsPage.tsx';
import { banks, binRanges, suppressionLists } from './list-specs.tsx';
import { OrganizationKeys } from './OrganizationKeys.tsx';

/** A whole page with one list; forms and imports lie below its address. */
function Page({
  title,
  path,
  spec,
  actions,
  below,
}: {
  title: string;
  path: string;
  spec: ListSpec;
  actions?: ReactNode;
  below?: ReactNode;
}) {
  const search = useSearch({ strict: false }) as ListSearch;
  const navigate = useNavigate();
  const { place } = usePlaceIds();
  const base = `/setup/${place.region}/${place.vertical}/${path}`;
  const add = () => void navigate({ href: `${base}/new` });
  return (
    <ListsPage
      title={title}
      action={
        <>
          {actions}
          <Button size="sm" leftSection={<IconPlus size={16} aria-hidden />} onClick={add}>
            Add {articleOf(spec.one)}
          </Button>
        </>
      }
    >
      <RecordList
        spec={spec}
        search={search}
        onSearch={(next) => void navigate({ to: '.', search: next as never, replace: true })}
        hrefOf={(row) => `${base}/${row._id}`}
        onAdd={add}
      />
      {below}
    </ListsPage>
  );
}

function ImportLink({ to }: { to: string }) {
  const { place } = usePlaceIds();
  return (
    <Button component={Link} to={`/setup/${place.region}/${place.vertical}/${to}` as '/'} size="sm" variant="default">
      Import
    </Button>
  );
}

/** Page key 20. */
export function SuppressionLists() {
  const permission = usePermissionHere();
  const mayImport = permission?.pageStatePermission['dataMgmt-Inbound'];
  return (
    <Page
      title="Suppression lists"
      path="data-mgmt/configuration"
      spec={suppressionLists}
      actions={mayImport && <ImportLink to="data-mgmt/inbound" />}
      below={(permission?.isOwner || permission?.isSuperAdmin) && <OrganizationKeys />}
    />
  );
}

/** Page key 21. */
export const Banks = () => <Page title="Banks" path="bank-mgmt" spec={banks} actions={<ImportLink to="bank-mgmt/import" />} />;

const moveOf = ({ move }: ListSearch) => (move === undefined ? undefined : move === 'none' ? null : Number(move));

/** Page key 22. */
export function BinRanges() {
  const search = useSearch({ strict: false }) as ListSearch;
  const [isMoving, setMoving] = useState(false);
  return (
    <>
      <Page
        title="BIN ranges"
        path="bin-mgmt"
        spec={binRanges}
        actions={
          <>
            <Button size="sm" variant="default" onClick={() => setMoving(true)}>
              Set moves
            </Button>
            <ImportLink to="bin-mgmt/import" />
          </>
        }
      />
      {isMoving && <BulkMoveDialog sought={{ search: search.q ?? '', moveForAll: moveOf(search) }} onClose={() => setMoving(false)} />}
    </>
  );
}
