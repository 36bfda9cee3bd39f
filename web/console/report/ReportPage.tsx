import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { MOVES } from '#contract/move.ts';
import type { ViewPage } from '#contract/saved-view.ts';
import { TextChip } from '#web/ui/ChipFrame.tsx';
import { ChoiceChip } from '#web/ui/ChoiceChip.tsx';
import { ExactSearch } from '#web/ui/ExactSearch.tsx';
import { CsvButton } from '#web/ui/FileTools.tsx';
import { FilterChip } from '#web/ui/FilterChip.tsx';
import { PrintButton } from '#web/ui/PrintButton.tsx';
import { RefreshButton } from '#web/ui/RefreshButton.tsx';
import { TimeAgo, useReporting } from '#web/ui/reporting.tsx';
import { ErrorState, NotRefreshed, SkeletonLines } from '#web/ui/states.tsx';
import { leadChoices, recordChoices } from '../api/choices.ts';
import { leadFiltersQuery, type Place } from '../api/lead.ts';
import { type ReportName, reportQuery } from '../api/report.ts';
import { downloadCsv } from '../download-csv.ts';
import { queryClient } from '../query-client.ts';
import { usePlaceIds } from '../set-up/place-ids.ts';
import { usePlaceName } from '../shell/use-place.ts';
import { tellsBefore } from './outcome-columns.tsx';
import { ReportTabs } from './ReportTabs.tsx';
import { type FilterName, filterNames, type ReportSearch, toReportQuery } from './report-search.ts';
import { SpanChip } from './SpanChip.tsx';
import { BeforeText, SpanText } from './SpanText.tsx';
import { useDefaultView } from './use-default-view.ts';
import { ViewNotes, ViewsMenu } from './ViewsMenu.tsx';
import { REPORT_ADDRESS, type ViewAddress } from './view-search.ts';
import './report.css';

type Answer<Name extends ReportName> = Awaited<ReturnType<NonNullable<ReturnType<typeof reportQuery<Name>>['queryFn']>>> & {
  asOf: string;
  /** Of those that compare with the span before. */
  before?: { from: string; to: string };
  /** Of those with rows. */
  rows?: readonly unknown[];
  rowCount?: number;
};

export interface ReportView<Of> {
  place: Place;
  search: ReportSearch;
  answer: Of;
  /** Fetching again: what is shown is dimmed. */
  isStale: boolean;
  change: (part: ReportSearch) => void;
}

interface ReportPageProps<Name extends ReportName> {
  name: Name;
  title: string;
  /** What is counted, in one sentence. */
  counts: string;
  filters: readonly FilterName[];
  by?: string;
  /** The names of the columns in sight; a report without has no file. */
  csvColumns?: readonly string[];
  /** The columns of its table in sight, which a view keeps. */
  columns?: readonly string[];
  /** Its rows are put in order by the server where they are many, and can be compared with what they had before. */
  hasRows?: true;
  /** Its points are asked for with their times to answer. */
  hasPointTimes?: boolean;
  seriesOf?: string | undefined;
  /** Whose views it has, where it is not alone by its name. */
  viewPage?: ViewPage;
  /** How its address is read, where that is not as of other reports. */
  address?: ViewAddress<ReportSearch>;
  /** In place of the report where it cannot be asked for yet: what is to be chosen. */
  missing?: ReactNode;
  /** Beside the filters. */
  choice?: (view: { search: ReportSearch; change: (part: ReportSearch) => void }) => ReactNode;
  children: (view: ReportView<Answer<Name>>) => ReactNode;
}

/** The frame of every report: which one, of what span, narrowed to what, and its states. */
export function ReportPage<Name extends ReportName>(props: ReportPageProps<Name>) {
  const {
    name,
    title,
    counts,
    filters,
    by,
    csvColumns,
    columns,
    hasRows,
    hasPointTimes,
    seriesOf,
    viewPage = name,
    address = REPORT_ADDRESS,
    missing,
    choice,
    children,
  } = props;
  const place = useParams({ strict: false }) as Place;
  const search = useSearch({ strict: false }) as ReportSearch;
  const navigate = useNavigate();
  const placeName = usePlaceName();
  const { zone } = useReporting();
  const isUndecided = useDefaultView(place, viewPage, search, address);
  const hasRowsBefore = hasRows && tellsBefore(columns ?? [], search.sort);
  const asked = { place, search, by, filters, hasRowsBefore, hasPointTimes, seriesOf, zone };
  const isAsked = !missing && !isUndecided;
  const whole = useQuery({ ...reportQuery(name, asked), enabled: isAsked }) as unknown as UseQueryResult<Answer<Name>>;
  // Of more rows than an answer has, those at the head of another order are others.
  const isCut = hasRows === true && search.sort !== undefined && (whole.data?.rowCount ?? 0) > (whole.data?.rows?.length ?? 0);
  const ordered = useQuery({ ...reportQuery(name, { ...asked, sort: search.sort }), enabled: isAsked && isCut }) as typeof whole;
  const report = isCut ? ordered : whole;
  const shown = report.data ?? whole.data;
  const isStale = report.isPlaceholderData || shown !== report.data;
  const change = (part: ReportSearch) =>
    void navigate({ to: '.', search: { ...search, ...part } as never, replace: true, resetScroll: false });
  const save = () =>
    downloadCsv(`report-${name}`, {
      ...toReportQuery(place, search, { by, filters, ...(hasRows && { sort: search.sort }), hasRowsBefore }, zone, Date.now()),
      columns: (csvColumns ?? []).join(','),
    });
  return (
    <div className="page report-page">
      <title>{`${title} · ${placeName} · Sluice`}</title>
      <div className="page-head">
        <h1>{title}</h1>
        <SpanText search={search} />
        <ViewsMenu place={place} page={viewPage} search={search} address={address} columns={columns} />
        <span className="muted small push">{shown && <TimeAgo at={shown.asOf} />}</span>
      </div>
      <ReportTabs place={place} span={search} />
      <search className="report-filters" aria-label="Narrow the report">
        <SpanChip search={search} change={(span) => change({ ...span, unit: undefined })} />
        <FilterChips place={place} search={search} filters={filters} change={change} />
        <span className="row push">
          <RefreshButton
            query={{
              isFetching: report.isFetching,
              refetch: () => queryClient.refetchQueries({ queryKey: ['report', place], type: 'active' }),
            }}
            isBarred={Boolean(missing)}
          />
          {csvColumns && (
            <CsvButton
              onSave={save}
              isBarred={!shown || Boolean(missing)}
              title={csvColumns.length > 0 ? 'Every row, with the columns shown here' : 'Every row, with all its figures'}
            />
          )}
          <PrintButton />
        </span>
      </search>
      <ViewNotes place={place} page={viewPage} search={search} />
      {choice?.({ search, change })}
      {missing ? (
        <div className="card">{missing}</div>
      ) : shown ? (
        <div className="report-body" data-stale={isStale || undefined} aria-busy={isStale}>
          {/* The figures may be those of the search before, of which this one knows nothing. */}
          <NotRefreshed query={{ isRefetchError: report.isError, error: report.error }} />
          {children({ place, search, answer: shown, isStale, change })}
          <p className="muted small report-foot">
            {counts} Test leads are left out; a return counts where its lead does.
            {shown.before && (
              <>
                {' '}
                Compared with <BeforeText {...shown.before} />.
              </>
            )}
          </p>
        </div>
      ) : report.isError ? (
        <div className="card">
          <ErrorState error={report.error} onRetry={() => void report.refetch()} />
        </div>
      ) : (
        <div className="card card-body report-blank">
          <SkeletonLines count={12} height={22} />
        </div>
      )}
    </div>
  );
}

const CHIPS: Record<
  Exclude<FilterName, 'subId' | 'state' | 'processorId' | 'move' | 'bin' | 'reason'>,
  { name: string; of: Parameters<typeof leadChoices>[1]; many: string }
> = {
  campaignId: { name: 'Campaign', of: 'campaign', many: 'campaigns' },
  publisherId: { name: 'Publisher', of: 'publisher', many: 'publishers' },
  publisherTierId: { name: 'Publisher tier', of: 'publisherTier', many: 'publisher tiers' },
  buyerId: { name: 'Buyer', of: 'buyer', many: 'buyers' },
  buyerTierId: { name: 'Buyer tier', of: 'buyerTier', many: 'buyer tiers' },
};

function StateChip({ place, state, change }: Pick<FilterChipsProps, 'place' | 'change'> & { state: string | undefined }) {
  const { data } = useQuery(leadFiltersQuery(place));
  return (
    <FilterChip
      name="State"
      options={data?.states ?? []}
      value={state}
      emptyText="No states found."
      onChange={(next) => change({ state: next })}
    />
  );
}

interface FilterChipsProps {
  place: Place;
  search: ReportSearch;
  filters: readonly FilterName[];
  /** What the page narrows by beside them: cleared together with them. */
  others?: readonly ('q' | 'result')[];
  change: (part: ReportSearch) => void;
}

/** 0 is a payment without a BIN. */
const MOVE_OPTIONS = [...MOVES.map(({ move, label }) => ({ value: String(move), label })), { value: '0', label: 'No BIN' }];

function ProcessorChip({ value, change }: Pick<FilterChipsProps, 'change'> & { value: string | undefined }) {
  const { verticalId } = usePlaceIds();
  return (
    <ChoiceChip
      name="Processor"
      source={recordChoices('paymentProcessor', { verticalId })}
      value={value}
      emptyText="No payment processors found."
      onChange={(processorId) => change({ processorId })}
    />
  );
}

const TEXTS = { bin: 'BIN', reason: 'Decline reason' } as const;
const isText = (filter: FilterName): filter is keyof typeof TEXTS => Object.hasOwn(TEXTS, filter);
const isRecord = (filter: FilterName): filter is keyof typeof CHIPS => Object.hasOwn(CHIPS, filter);

export function FilterChips({ place, search, filters, others = [], change }: FilterChipsProps) {
  return (
    <>
      {filters.map((filter) => {
        if (filter === 'subId')
          return (
            <ExactSearch
              key={`${filter} ${search.subId ?? ''}`}
              value={search.subId ?? ''}
              label="Of one sub id"
              placeholder="Sub id, then Enter"
              className="filter-sub-id"
              isFirst={false}
              onSearch={(subId) => change({ subId: subId || undefined })}
            />
          );
        const value = search[filter];
        if (isText(filter) || (isRecord(filter) && value === '')) {
          const name = isText(filter) ? TEXTS[filter] : CHIPS[filter].name;
          return value === undefined ? null : (
            <TextChip key={filter} name={name} text={value || 'none'} onClear={() => change({ [filter]: undefined })} />
          );
        }
        if (filter === 'processorId') return <ProcessorChip key={filter} value={search.processorId} change={change} />;
        if (filter === 'move')
          return (
            <FilterChip
              key={filter}
              name="BIN move"
              options={MOVE_OPTIONS}
              value={search.move}
              emptyText=""
              onChange={(move) => change({ move })}
            />
          );
        if (filter === 'state') return <StateChip key={filter} place={place} state={search.state} change={change} />;
        const { name, of, many } = CHIPS[filter];
        return (
          <ChoiceChip
            key={filter}
            name={name}
            source={leadChoices(place, of)}
            value={search[filter]}
            emptyText={`No ${many} found.`}
            onChange={(value) => change({ [filter]: value })}
          />
        );
      })}
      {[...filters, ...others].some((one) => search[one] !== undefined) && (
        <button
          type="button"
          className="bare link clear-all"
          onClick={() => change(Object.fromEntries([...filterNames, ...others].map((one) => [one, undefined])))}
        >
          Clear all
        </button>
      )}
    </>
  );
}
