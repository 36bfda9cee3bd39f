import { EVENT_LABELS } from '#contract/webhook-words.ts';
import { formatCount } from '#web/ui/format.ts';
import { TimeAgo } from '#web/ui/reporting.tsx';
import type { RecordRow } from '../api/record.ts';
import type { ListSpec } from '../set-up/RecordList.tsx';
import { VerticalList } from '../set-up/VerticalList.tsx';
import { WebhookFrame } from './WebhookFrame.tsx';
import './webhook.css';

const spec: ListSpec = {
  model: 'webhook',
  one: 'webhook',
  many: 'webhooks',
  searches: 'name, address or notes',
  teaches:
    'A webhook tells a system of yours what becomes of leads, the moment it happens: sold or not, held, settled, returned. Each call is signed, says nothing of the person, and is tried again until it is taken.',
  hasCopy: false,
  also: ['failingSince'],
  columns: [
    { field: 'name', head: 'Name' },
    { field: 'url', head: 'Address', cell: (row) => <span className="webhook-url">{String(row.url)}</span> },
    { field: 'events', head: 'Is told of', cell: (row) => sayEvents(row), sorts: false },
    { field: 'waiting', head: 'Waiting', numeric: true, cell: (row) => <Waiting row={row} /> },
    { field: 'updatedAt', head: 'Changed', cell: (row) => <TimeAgo at={String(row.updatedAt)} /> },
  ],
};

const sayEvents = (row: RecordRow) => (row.events as string[]).map((event) => EVENT_LABELS[event] ?? event).join(', ');

function Waiting({ row }: { row: RecordRow }) {
  return (
    <>
      {formatCount(Number(row.waiting))}
      {row.failingSince !== null && <span className="pill bad"> takes nothing</span>}
    </>
  );
}

/** The systems that are told what becomes of this vertical's leads. */
export const WebhooksPage = () => (
  <VerticalList spec={spec} title="Webhooks" path="features-api/webhooks" add="Add a webhook" Frame={WebhookFrame} />
);
