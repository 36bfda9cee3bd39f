import { TimeAgo } from '#web/ui/reporting.tsx';
import type { ListSpec } from '../set-up/RecordList.tsx';
import { VerticalList } from '../set-up/VerticalList.tsx';
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
export const ProcessorsPage = () => (
  <VerticalList
    spec={spec}
    title="Payment processors"
    path="payment-processor-stats/processors"
    add="Add a processor"
    Frame={PaymentFrame}
    mayAdd={usePermissionHere()?.pageStatePermission.setup === true}
  />
);
