import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ACCEPT_RATE, OUTCOME_WORDS } from '#contract/outcome-words.ts';
import type { LeadMeasures, MapReportAnswer } from '#contract/report.ts';
import { formatCount } from '#web/ui/format.ts';
import { EmptyState, ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { leadFiltersQuery, type Place } from '../api/lead.ts';
import { useMayReadLeads, usePermissionHere, usePlaceRecords } from '../shell/use-place.ts';
import { ChoiceRow } from './ChoiceRow.tsx';
import { inboundFigures } from './Inbound.tsx';
import { leadsBehind, narrowing } from './leads-behind.ts';
import { MEASURES, type Measure, useSay } from './measures.ts';
import { leadColumns } from './outcome-columns.tsx';
import { outlinesQuery } from './outlines.ts';
import { ReportFigures } from './ReportFigures.tsx';
import { ReportPage, type ReportView } from './ReportPage.tsx';
import { ReportTable, useColumnsInSight } from './ReportTable.tsx';
import { StateMap } from './StateMap.tsx';
import { useReportSearch } from './use-report-search.ts';

const FILTERS = ['campaignId', 'publisherId', 'publisherTierId'] as const;
const WAYS = ['attempts', 'sold', 'accepted', 'revenue', 'margin', 'epl'];
const BUYERS = { value: 'buyers', label: 'Buyers' };

/** Where leads come from, what they bring there, and who buys them (console §2: comm-maps). */
export function Maps() {
  const { measure: asked } = useReportSearch();
  const measure = asked && (WAYS.includes(asked) || asked === BUYERS.value) ? asked : 'attempts';
  const { inOrder } = useColumnsInSight('map', leadColumns);
  return (
    <ReportPage
      name="map"
      title="Map"
      counts="Counts leads by when they came, without bare pings, where their field for the state says they come from, or else their ZIP code or postcode. A buyer that bought in a state took at least one of its leads."
      filters={FILTERS}
      csvColumns={inOrder}
      columns={inOrder}
      hasRows
      choice={({ change }) => (
        <ChoiceRow
          label="Show"
          options={[...WAYS.map((value) => ({ value, label: MEASURES[value]!.label })), BUYERS]}
          value={measure}
          onChoose={(value) => change({ measure: value })}
        />
      )}
    >
      {(view) => <MapBody measure={measure} {...view} />}
    </ReportPage>
  );
}

interface StateRow {
  state: string;
  name: string;
  now: LeadMeasures;
  /** Buyers that were asked, and that bought; null where they are not counted. */
  buyers: { asked: number; bought: number } | null;
  value: number;
}

function MapBody({ measure, ...view }: ReportView<MapReportAnswer> & { measure: string }) {
  const { answer, place, search, change } = view;
  const { label, of, text }: Measure = MEASURES[measure] ?? { label: BUYERS.label, of: () => 0, text: 'count' };
  const say = useSay(text);
  const coverage = new Map(answer.coverage?.map((one) => [one.state, one]));
  const rows = answer.rows
    .map(({ keys, now }): StateRow => {
      const { _id: state, name } = keys[0]!;
      const buyers = answer.coverage && (coverage.get(state) ?? { asked: 0, bought: 0 });
      return { state, name, now, buyers, value: measure === BUYERS.value ? (buyers?.bought ?? 0) : of(now) };
    })
    .sort((a, b) => b.value - a.value);
  const title = `${label} by state`;
  return (
    <>
      <ReportFigures figures={inboundFigures(answer)} />
      <section className="card" aria-label={title}>
        <header>
          <h2>{title}</h2>
          {measure === BUYERS.value && (
            <span className="muted small">
              {answer.coverage ? 'Buyers that bought there' : 'Buyers are not counted by publisher: take that filter away.'}
            </span>
          )}
        </header>
        <div className="map-pair">
          <CountryMap rows={rows} label={title} say={say} {...view} />
          <div className="map-side">
            <ChosenState rows={rows} {...view} />
            <StateList rows={rows} label={label} say={say} {...view} />
          </div>
        </div>
      </section>
      <ReportTable
        title="States"
        name="map"
        heads={['State']}
        columns={leadColumns}
        rows={answer.rows}
        rowCount={answer.rowCount}
        total={answer.total}
        totalBefore={answer.totalBefore}
        {...{ place, search, change }}
        leadsOf={({ keys }) => leadsBehind(search, ['state'], keys)}
      />
    </>
  );
}

type Shown = Pick<ReportView<MapReportAnswer>, 'place' | 'search' | 'change'> & { rows: readonly StateRow[] };

function CountryMap({ rows, place, search, change, label, say }: Shown & { label: string; say: (value: number) => string }) {
  const country = usePlaceRecords().region?.country ?? 'us';
  const outlines = useQuery(outlinesQuery(country));
  const { data: filters } = useQuery(leadFiltersQuery(place));
  if (outlines.isError) return <ErrorState error={outlines.error} onRetry={() => void outlines.refetch()} />;
  if (!outlines.data)
    return (
      <div className="card-body">
        <SkeletonLines count={10} height={36} />
      </div>
    );
  return (
    <StateMap
      key={country}
      country={country}
      outlines={outlines.data}
      label={label}
      values={new Map(rows.map(({ state, value }) => [state, value]))}
      names={new Map(filters?.states.map(({ value, label }) => [value, label]))}
      say={say}
      chosen={search.chosen}
      onChoose={(state) => change({ chosen: state === search.chosen ? undefined : state })}
    />
  );
}

/** The state that is looked at, and the ways from it. */
function ChosenState({ rows, place, search }: Shown) {
  const { data: filters } = useQuery(leadFiltersQuery(place));
  const mayRead = useMayReadLeads();
  const allowed = usePermissionHere()?.pageStatePermission ?? {};
  const count = useSay('count');
  const money = useSay('money');
  const rate = useSay('rate');
  if (search.chosen === undefined)
    return <p className="muted small map-chosen-card no-print">Choose a state here or on the map: its figures and its leads stand here.</p>;
  const row = rows.find(({ state }) => state === search.chosen);
  const name = row?.name ?? filters?.states.find(({ value }) => value === search.chosen)?.label ?? search.chosen;
  const figures: [string, string][] = row
    ? [
        [OUTCOME_WORDS.attempts, count(row.now.attempts)],
        [OUTCOME_WORDS.sold, count(row.now.sold)],
        [ACCEPT_RATE, rate(MEASURES.accepted!.of(row.now))],
        ['EPL', money(Number(row.now.epl))],
        ['Revenue', money(Number(row.now.revenue))],
        ['Margin', money(Number(row.now.margin))],
        ...(row.buyers
          ? ([['Buyers', `${formatCount(row.buyers.bought)} of ${formatCount(row.buyers.asked)}`]] as [string, string][])
          : []),
      ]
    : [];
  const here = { ...narrowing(search), state: search.chosen };
  const leads = mayRead ? leadsBehind(search, ['state'], [{ _id: search.chosen }]) : undefined;
  return (
    <section className="map-chosen-card" aria-label={name} aria-live="polite">
      <h3>{name}</h3>
      {row ? (
        <dl className="small">
          {figures.map(([head, text]) => (
            <div key={head}>
              <dt className="muted">{head}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      ) : (
        <p className="muted small">No leads in this span.</p>
      )}
      <p className="map-links small no-print">
        {row && leads && <WayTo route="leads" text="Leads" place={place} search={leads} />}
        {allowed['leadFlow-Inbound'] && <WayTo route="lead-flow/inbound" text="By publisher" place={place} search={here} />}
        {allowed['leadFlow-Outbound'] && <WayTo route="lead-flow/outbound" text="By buyer" place={place} search={here} />}
      </p>
    </section>
  );
}

function WayTo({ route, text, place, search }: { route: string; text: string; place: Place; search: Record<string, string> }) {
  return (
    <Link to="/setup/$region/$vertical/$" params={{ ...place, _splat: route }} search={search as never} className="link">
      {text}
    </Link>
  );
}

/** What the map shows, to read, and to choose from by keyboard. */
function StateList({ rows, search, change, label, say }: Shown & { label: string; say: (value: number) => string }) {
  if (rows.length === 0) return <EmptyState title="Nothing in this span.">Choose another span, or take filters away.</EmptyState>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <section className="map-list" aria-label={`${label} by state, list`} tabIndex={0}>
      <table className="plain-table">
        <thead>
          <tr>
            <th scope="col">State</th>
            <th scope="col" className="num">
              {label}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ state, name, value }) => (
            <tr key={state} data-chosen={state === search.chosen || undefined}>
              <th scope="row">
                {state === '' ? (
                  name
                ) : (
                  <button
                    type="button"
                    className="bare link report-name"
                    aria-pressed={state === search.chosen}
                    onClick={() => change({ chosen: state === search.chosen ? undefined : state })}
                  >
                    {name}
                  </button>
                )}
              </th>
              <td className="num">{say(value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
