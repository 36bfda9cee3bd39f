import { Button } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { IconPlus } from '#web/ui/icons.ts';
import { TimeAgo } from '#web/ui/reporting.tsx';
import type { ListSearch } from '../set-up/list-search.ts';
import { usePlaceIds } from '../set-up/place-ids.ts';
import { type ListSpec, RecordList } from '../set-up/RecordList.tsx';
import { usePermissionHere } from '../shell/use-place.ts';
import { PaymentFrame } from './PaymentFrame.tsx';

const spec: ListSpec = {
  model: 'paymentProcessor',
  one: 'payment processor',
  many: 'payment processors',
  searches: 'name or notes',
  teaches: 'A payment processor gets an address of its own, to which it reports what became of each payment. Add one to get its address.',
  hasCopy: false,
  columns: [
    { field: 'name', head: 'Name' },
    { field: 'notes', head: 'Notes', sorts: false },
    { field: 'updatedAt', head: 'Changed', cell: (row) => <TimeAgo at={String(row.updatedAt)} /> },
  ],
};

/** The processors that report payments of this vertical's leads. */
export function ProcessorsPage() {
  const search = useSearch({ strict: false }) as ListSearch;
  const navigate = useNavigate();
  const { place, verticalId } = usePlaceIds();
  const maySetUp = usePermissionHere()?.pageStatePermission.setup;
  const base = `/setup/${place.region}/${place.vertical}/payment-processor-stats/processors`;
  const add = () => void navigate({ href: `${base}/new` });
  return (
    <PaymentFrame
      title="Payment processors"
      action={
        maySetUp && (
          <Button size="sm" leftSection={<IconPlus size={16} aria-hidden />} onClick={add}>
            Add a processor
          </Button>
        )
      }
    >
      <RecordList
        spec={spec}
        condition={{ verticalId }}
        search={search}
        onSearch={(next) => void navigate({ to: '.', search: next as never, replace: true })}
        hrefOf={(row) => `${base}/${row._id}`}
        onAdd={maySetUp ? add : undefined}
      />
    </PaymentFrame>
  );
}
