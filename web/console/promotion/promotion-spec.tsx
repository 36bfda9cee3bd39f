/** The list of promotions: what it shows, searches and teaches. */
import type { PromotionPhase, PromotionTargetView, RaiseView } from '#contract/promotion.ts';
import { formatCount } from '#web/ui/format.ts';
import { MoneyText, TimeAgo, useReporting } from '#web/ui/reporting.tsx';
import type { RecordRow } from '../api/record.ts';
import type { ListSpec } from '../set-up/RecordList.tsx';
import { PHASES, sayDays, sayRaise, TARGETS } from './promotion-words.ts';

export const promotions: ListSpec = {
  model: 'promotion',
  one: 'promotion',
  many: 'promotions',
  searches: 'name, target or notes',
  also: ['target', 'toOn', 'leadCap', 'moneyCap'],
  teaches:
    'A promotion pays publishers more for some days, out of your margin: for one tier, a sub id, a publisher or a whole campaign. It can stop by itself after so many sold leads or so much money.',
  columns: [
    { field: 'name', head: 'Name' },
    { field: 'phase', head: 'State', cell: (row) => <PhasePill phase={row.phase as PromotionPhase} /> },
    { field: 'targetName', head: 'For', cell: (row) => <Target row={row} /> },
    { field: 'raise', head: 'Rise', sorts: false, numeric: true, cell: (row) => <Rise raise={row.raise as RaiseView} /> },
    {
      field: 'fromOn',
      head: 'Days',
      cell: (row) => <span className="tabular">{sayDays(String(row.fromOn), row.toOn as string | null)}</span>,
    },
    { field: 'soldLeads', head: 'Sold leads', numeric: true, cell: (row) => <SoldLeads row={row} /> },
    { field: 'extraPaid', head: 'Extra paid', numeric: true, cell: (row) => <ExtraPaid row={row} /> },
    { field: 'timeZone', head: 'Time zone', optional: true },
    { field: 'notes', head: 'Notes', optional: true },
    { field: 'updatedAt', head: 'Changed', optional: true, cell: (row) => <TimeAgo at={String(row.updatedAt)} /> },
  ],
};

export function PhasePill({ phase }: { phase: PromotionPhase }) {
  const { label, tone } = PHASES[phase];
  return <span className={`pill ${tone}`}>{label}</span>;
}

function Target({ row }: { row: RecordRow }) {
  const { kind } = row.target as PromotionTargetView;
  return (
    <>
      {String(row.targetName)} <span className="muted small">{TARGETS[kind].toLowerCase()}</span>
    </>
  );
}

function Rise({ raise }: { raise: RaiseView }) {
  const { currency, currencyDisplay } = useReporting();
  return <span className="tabular">{sayRaise(raise, currency, currencyDisplay)}</span>;
}

function SoldLeads({ row }: { row: RecordRow }) {
  return (
    <>
      {formatCount(Number(row.soldLeads))}
      {row.leadCap !== null && <span className="muted small"> of {formatCount(Number(row.leadCap))}</span>}
    </>
  );
}

function ExtraPaid({ row }: { row: RecordRow }) {
  return (
    <>
      <MoneyText amount={String(row.extraPaid)} faint />
      {row.moneyCap !== null && (
        <span className="muted small">
          {' '}
          of <MoneyText amount={String(row.moneyCap)} exact />
        </span>
      )}
    </>
  );
}
