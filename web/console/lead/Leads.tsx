import { Button, Checkbox, NativeSelect, Popover } from '@mantine/core';
import { useLocalStorage, useMediaQuery } from '@mantine/hooks';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { LeadRow, LeadsAnswer } from '#contract/lead.ts';
import { type ColumnVisibilityState, DataTable } from '#web/ui/DataTable.tsx';
import { FileTools } from '#web/ui/FileTools.tsx';
import { formatCount } from '#web/ui/format.ts';
import { IconAdjustmentsHorizontal, IconArrowLeft, IconArrowRight, IconCoinOff, IconFileText } from '#web/ui/icons.ts';
import { RefreshButton } from '#web/ui/RefreshButton.tsx';
import { ExactTime, useReporting } from '#web/ui/reporting.tsx';
import { EmptyState, ErrorState, NotRefreshed, SkeletonLines } from '#web/ui/states.tsx';
import { leadsQuery, type Place } from '../api/lead.ts';
import { toSettleQuery } from '../api/settlement.ts';
import { downloadCsv } from '../download-csv.ts';
import { useDefaultView } from '../report/use-default-view.ts';
import { ViewNotes, ViewsMenu } from '../report/ViewsMenu.tsx';
import { usePlaceName, useSetup } from '../shell/use-place.ts';
import { LeadCards } from './LeadCards.tsx';
import { LeadFilters } from './LeadFilters.tsx';
import { defaultVisibility, leadColumns, optionalColumns, shownColumns, visibilityOf } from './lead-columns.tsx';
import {
  defaultPageSize,
  filterNames,
  hasFilter,
  LEADS_ADDRESS,
  type LeadsSearch,
  pageSizes,
  toLeadsQuery,
  withFilter,
} from './leads-search.ts';
import '#web/ui/pager.css';
import { ReturnFileDialog } from './ReturnFileDialog.tsx';
import './leads.css';

const route = getRouteApi('/framed/setup/$region/$vertical/leads');
const rowId = (row: LeadRow) => row._id;

export function Leads() {
  const place = route.useParams();
  const search: LeadsSearch = route.useSearch();
  const navigate = route.useNavigate();
  const placeName = usePlaceName();
  const { zone } = useReporting();
  const leads = useQuery(leadsQuery(place, search, zone));
  const { user } = useSetup();
  const [chosen, setChosen] = useLocalStorage<ColumnVisibilityState>({
    key: `leadColumns:${user._id}`,
    defaultValue: defaultVisibility,
    getInitialValueInEffect: false,
  });
  const visibility = visibilityOf(search.columns) ?? chosen;
  const setVisibility = (next: ColumnVisibilityState) => {
    setChosen(next);
    const columns = next === defaultVisibility ? undefined : [...shownColumns(next)].join(',');
    void navigate({ search: (now: LeadsSearch) => ({ ...now, columns }), replace: true, resetScroll: false });
  };
  useDefaultView(place, 'leads', search, LEADS_ADDRESS);
  const change = (part: Partial<LeadsSearch>) => void navigate({ search: (now) => withFilter(now, part), replace: true });
  const clear = () => change(Object.fromEntries([...filterNames, 'from', 'to'].map((name) => [name, undefined])));
  return (
    <div className="page">
      <title>{`Leads · ${placeName} · Sluice`}</title>
      <div className="page-head">
        <h1>Leads</h1>
        <LeadCount answer={leads.data} search={search} />
        <ViewsMenu place={place} page="leads" search={search} address={LEADS_ADDRESS} columns={[...shownColumns(visibility)]} />
        <LeadTools place={place} />
      </div>
      <LeadFilters place={place} search={search} onChange={change} onClear={clear} />
      <ViewNotes place={place} page="leads" search={search} />
      <section className="card leads-card" aria-label="Leads found">
        <div className="leads-bar">
          <Refresh leads={leads} />
          <ColumnChoice visibility={visibility} onChange={setVisibility} />
          <LeadFile hasLeads={leads.data !== undefined && mayHave(leads.data)} visibility={visibility} place={place} search={search} />
        </div>
        <LeadsBody leads={leads} place={place} search={search} visibility={visibility} onVisibility={setVisibility} onClear={clear} />
        {leads.data && <LookedTo answer={leads.data} search={search} place={place} />}
        {leads.data && <Pager answer={leads.data} search={search} place={place} />}
      </section>
    </div>
  );
}

/** What else is done with leads: settle what is open, and take a buyer's returns. */
function LeadTools({ place }: { place: Place }) {
  const open = useQuery(toSettleQuery(place));
  const [isReturning, setReturning] = useState(false);
  const count = open.data?.total ?? 0;
  return (
    <span className="row push">
      <Link to="/setup/$region/$vertical/leads/to-settle" params={place} className="tool-button">
        <IconCoinOff size={15} aria-hidden /> To settle {count > 0 && <span className="pill warn tabular">{formatCount(count)}</span>}
      </Link>
      {open.data?.maySettle && (
        <button type="button" className="tool-button" onClick={() => setReturning(true)}>
          <IconFileText size={15} aria-hidden /> Returns from a file
        </button>
      )}
      {isReturning && <ReturnFileDialog place={place} onClose={() => setReturning(false)} />}
    </span>
  );
}

/** What reports leave out, and the list has where nothing is said of it. */
const withOthers = ({ test, pings }: LeadsSearch): string => {
  const others = [...(test === undefined ? ['tests'] : []), ...(pings === undefined ? ['bare pings'] : [])];
  return others.length > 0 ? `, ${others.join(' and ')} among them` : '';
};

function LeadCount({ answer, search }: { answer: LeadsAnswer | undefined; search: LeadsSearch }) {
  if (!answer) return null;
  if (answer.total === 0 && !answer.totalIsExact)
    return (
      <span className="muted" role="status">
        none so far
      </span>
    );
  const total = `${formatCount(answer.total)}${answer.totalIsExact ? '' : '+'}`;
  return (
    <span className="muted tabular">
      <span role="status">{answer.rows.length < answer.total ? `${formatCount(answer.rows.length)} of ${total}` : total}</span>
      {answer.total > 0 && withOthers(search)}
    </span>
  );
}

function Refresh({ leads }: { leads: UseQueryResult<LeadsAnswer> }) {
  return (
    <>
      <NotRefreshed query={leads} />
      <RefreshButton query={leads} />
    </>
  );
}

interface LeadsBodyProps {
  leads: UseQueryResult<LeadsAnswer>;
  place: Place;
  search: LeadsSearch;
  visibility: ColumnVisibilityState;
  onVisibility: (next: ColumnVisibilityState) => void;
  onClear: () => void;
}

function LeadsBody({ leads, place, search, visibility, onVisibility, onClear }: LeadsBodyProps) {
  const navigate = useNavigate();
  const phone = useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false });
  if (leads.isPending)
    return (
      <div className="card-body">
        <SkeletonLines count={12} height={22} />
      </div>
    );
  if (!leads.data) return <ErrorState error={leads.error} onRetry={() => void leads.refetch()} />;
  const { rows, lookedTo } = leads.data;
  if (rows.length === 0) return lookedTo === null ? <NoLeads filtered={hasFilter(search)} onClear={onClear} /> : null;
  if (phone) return <LeadCards place={place} rows={rows} stale={leads.isPlaceholderData} />;
  const open = (row: LeadRow) => void navigate({ to: '/setup/$region/$vertical/leads/$leadId', params: { ...place, leadId: row._id } });
  return (
    <DataTable
      label="Leads, newest first"
      columns={leadColumns}
      rows={rows}
      rowId={rowId}
      visibility={visibility}
      onVisibilityChange={onVisibility}
      onOpen={open}
      stale={leads.isPlaceholderData}
    />
  );
}

function NoLeads({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  if (!filtered) return <EmptyState title="No leads yet.">They appear here as soon as a publisher posts the first one.</EmptyState>;
  return (
    <EmptyState
      title="No leads match these filters."
      action={
        <Button variant="default" size="xs" onClick={onClear}>
          Clear filters
        </Button>
      }
    >
      The search finds a whole lead id, email, phone or primary field value, not a part of one.
    </EmptyState>
  );
}

interface PageProps {
  answer: LeadsAnswer;
  search: LeadsSearch;
  place: Place;
}

/** How far a search came that looked at as many leads as it may, and the way on. */
function LookedTo({ answer: { rows, lookedTo, older, newer }, search, place }: PageProps) {
  if (lookedTo === null) return null;
  const [way, cursor] = search.after ? ['up', { after: newer ?? undefined }] : ['back', { before: older ?? undefined }];
  return (
    <div className="leads-looked">
      <span className="muted small" role="status">
        {rows.length === 0 ? 'Nothing found' : 'Searched'} {way} to <ExactTime at={lookedTo} />.
      </span>
      <Link to="/setup/$region/$vertical/leads" params={place} search={{ ...withFilter(search, {}), ...cursor }} className="tool-button">
        Search further {search.after ? 'on' : 'back'}
      </Link>
    </div>
  );
}

function Pager({ answer, search, place }: PageProps) {
  const navigate = route.useNavigate();
  const { older, newer } = answer;
  return (
    <nav className="pager" aria-label="Pages of leads">
      <PagerLink place={place} search={search} cursor={newer ? { after: newer } : null}>
        <IconArrowLeft size={16} aria-hidden /> Newer
      </PagerLink>
      <PagerLink place={place} search={search} cursor={older ? { before: older } : null}>
        Older <IconArrowRight size={16} aria-hidden />
      </PagerLink>
      {(search.before || search.after) && (
        <Link to="/setup/$region/$vertical/leads" params={place} search={withFilter(search, {})} className="link small">
          Back to the newest
        </Link>
      )}
      <span className="page-size small muted">
        <span aria-hidden="true">Rows</span>
        <NativeSelect
          size="xs"
          aria-label="Rows on a page"
          value={String(search.limit ?? defaultPageSize)}
          data={pageSizes.map(String)}
          onChange={(event) => {
            const size = pageSizes.find((one) => String(one) === event.currentTarget.value);
            void navigate({ search: (now) => withFilter(now, { limit: size === defaultPageSize ? undefined : size }) });
          }}
        />
      </span>
    </nav>
  );
}

function PagerLink({
  place,
  search,
  cursor,
  children,
}: {
  place: Place;
  search: LeadsSearch;
  cursor: Partial<LeadsSearch> | null;
  children: React.ReactNode;
}) {
  if (!cursor)
    return (
      <span className="pager-link" aria-disabled="true">
        {children}
      </span>
    );
  return (
    <Link to="/setup/$region/$vertical/leads" params={place} search={{ ...withFilter(search, {}), ...cursor }} className="pager-link">
      {children}
    </Link>
  );
}

function ColumnChoice({ visibility, onChange }: { visibility: ColumnVisibilityState; onChange: (next: ColumnVisibilityState) => void }) {
  return (
    <Popover position="bottom-end" withRoles={false} trapFocus returnFocus>
      <Popover.Target>
        <button type="button" className="tool-button desktop-only push" aria-haspopup="dialog">
          <IconAdjustmentsHorizontal size={15} aria-hidden /> Columns
        </button>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label="Columns to show" className="column-choice">
        {optionalColumns.map(({ id, label }) => (
          <Checkbox
            key={id}
            size="md"
            label={label}
            checked={visibility[id] !== false}
            onChange={(event) => onChange({ ...visibility, [id]: event.currentTarget.checked })}
          />
        ))}
        <button type="button" className="bare link small" onClick={() => onChange(defaultVisibility)}>
          As at the start
        </button>
      </Popover.Dropdown>
    </Popover>
  );
}

/** Some, or so far none of those that were looked at. */
const mayHave = ({ total, totalIsExact }: LeadsAnswer): boolean => total > 0 || !totalIsExact;

interface LeadFileProps {
  hasLeads: boolean;
  visibility: ColumnVisibilityState;
  place: Place;
  search: LeadsSearch;
}

function LeadFile({ hasLeads, visibility, place, search }: LeadFileProps) {
  const { zone } = useReporting();
  const save = () => {
    const { limit, ...filters } = Object.fromEntries(toLeadsQuery(place, withFilter(search, {}), zone, Date.now()));
    downloadCsv('leads', { ...filters, timeZone: zone, columns: [...shownColumns(visibility)].join(',') });
  };
  return <FileTools onSave={save} isBarred={!hasLeads} title="Every lead found, with the columns shown here" />;
}
