import { Button } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';
import { HEALTH_WORDS, HEALTHS, type Health, homePageSize } from '#contract/health.ts';
import { FileTools } from '#web/ui/FileTools.tsx';
import { formatCount, formatLongDay } from '#web/ui/format.ts';
import { IconChevronDown, IconChevronRight } from '#web/ui/icons.ts';
import { Pager } from '#web/ui/Pager.tsx';
import { Sentence, TimeAgo, useReporting } from '#web/ui/reporting.tsx';
import { SearchBox } from '#web/ui/SearchBox.tsx';
import { EmptyState, ErrorState, NotRefreshed, SkeletonLines } from '#web/ui/states.tsx';
import { timeZoneLabel } from '#web/ui/zone.ts';
import { downloadCsv } from '../download-csv.ts';
import { guardRoute } from '../guard.ts';
import { turnSort } from '../set-up/list-search.ts';
import { PageTabs } from '../shell/PageTabs.tsx';
import { useSetup } from '../shell/use-place.ts';
import type { HomeSearch } from './home-search.ts';
import { useHomeFeed } from './use-home-feed.ts';
import '../set-up/record-list.css';
import '#web/ui/stacking-table.css';
import './home.css';

export interface HomeColumn<Day> {
  /** Of the day, to sort by. */
  field: string;
  head: string;
  cell: (day: Day) => ReactNode;
  tone?: (day: Day) => string;
}

interface Tier<Day> {
  _id: string;
  name: string;
  status: 'active' | 'paused';
  region: string;
  vertical: string;
  placeName: string;
  today: Day;
}

interface Row<Day> {
  _id: string;
  name: string;
  health: Health;
  wrong: string[];
  today: Day;
  tiers: Tier<Day>[];
}

interface Answer<Day> {
  asOf: string;
  verticals: number;
  rows: Row<Day>[];
  total: number;
  counts: Record<Health, number>;
}

interface HomePageProps<Day> {
  of: 'buyer' | 'publisher';
  columns: readonly HomeColumn<Day>[];
  search: HomeSearch;
  answer: UseQueryResult<Answer<Day>>;
  /** What the leads list is narrowed to for the leads of one tier. */
  leadsOf: (tierId: string) => Record<string, string>;
}

const TONES: Record<Health, string> = { bad: 'bad', warn: 'warn', good: 'good', quiet: 'muted', paused: 'info' };

/** Buyers or publishers, worst first; each opens to what is wrong and to its tiers. */
export function HomePage<Day>({ of, columns, search, answer, leadsOf }: HomePageProps<Day>) {
  useHomeFeed();
  const { zone } = useReporting();
  const navigate = useNavigate();
  const title = of === 'buyer' ? 'Buyers today' : 'Publishers today';
  const { data } = answer;
  const change = (part: HomeSearch) =>
    void navigate({ to: `/setup/home-${of}`, search: { ...search, page: undefined, ...part } as never, replace: true, resetScroll: false });
  return (
    <div className="page">
      <title>{`${title} · Sluice`}</title>
      <div className="page-head">
        <h1>{title}</h1>
        <span className="muted">
          {formatLongDay(data ? Date.parse(data.asOf) : Date.now(), zone)} ({timeZoneLabel[zone]})
        </span>
        <span className="muted small push">
          {data && (
            <>
              Figures from <TimeAgo at={data.asOf} />; test leads are left out
            </>
          )}
        </span>
      </div>
      <PageTabs of="home" />
      <section className="card" aria-label={title}>
        <div className="home-bar">
          <SearchBox
            value={search.q ?? ''}
            label={`Search ${of}s by name`}
            className="home-search"
            onSearch={(q) => change({ q: q || undefined })}
          />
          <HealthChoice counts={data?.counts} chosen={search.health} onChoose={(health) => change({ health })} />
          <FileTools
            isPushed
            isBarred={!data?.total}
            title="Every one found, and its tiers"
            onSave={() => downloadCsv(`home-${of}s`, asked(search, zone))}
          />
        </div>
        <NotRefreshed query={answer} />
        <Body of={of} columns={columns} search={search} answer={answer} leadsOf={leadsOf} onChange={change} />
        {data && <Pager total={data.total} pageSize={homePageSize} page={search.page ?? 1} onPage={(page) => change({ page })} />}
      </section>
    </div>
  );
}

interface HealthChoiceProps {
  counts: Record<Health, number> | undefined;
  chosen: Health | undefined;
  onChoose: (health: Health | undefined) => void;
}

function HealthChoice({ counts, chosen, onChoose }: HealthChoiceProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would have to be named by a legend in sight
    <div className="home-health" role="group" aria-label="Health">
      {HEALTHS.map((one) => (
        <button
          key={one}
          type="button"
          className={`pill home-choice ${TONES[one]}`}
          aria-pressed={chosen === one}
          disabled={chosen !== one && !counts?.[one]}
          onClick={() => onChoose(chosen === one ? undefined : one)}
        >
          {HEALTH_WORDS[one]} <span className="tabular">{counts ? formatCount(counts[one]) : ''}</span>
        </button>
      ))}
    </div>
  );
}

function Body<Day>({ of, columns, search, answer, leadsOf, onChange }: HomePageProps<Day> & { onChange: (part: HomeSearch) => void }) {
  const { data } = answer;
  if (answer.isPending)
    return (
      <div className="card-body">
        <SkeletonLines count={8} height={22} />
      </div>
    );
  if (!data) return <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />;
  if (data.verticals === 0)
    return (
      <EmptyState title="No vertical is open to you here.">{`${of === 'buyer' ? 'Buyers' : 'Publishers'} are shown of the verticals whose overview you may open. Ask the owner of the organization for one.`}</EmptyState>
    );
  if (data.rows.length === 0 && (search.q || search.health || search.page))
    return (
      <EmptyState
        title={`No ${of}s match.`}
        action={
          <Button variant="default" size="xs" onClick={() => onChange({ q: undefined, health: undefined, open: undefined })}>
            Clear filters
          </Button>
        }
      />
    );
  if (data.rows.length === 0)
    return (
      <EmptyState
        title={`No ${of}s yet.`}
      >{`They are added in the set-up area, under ${of === 'buyer' ? 'Buyers' : 'Publishers'}.`}</EmptyState>
    );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <section className="scroll-x" aria-label={`Table of ${of}s`} tabIndex={0} data-stale={answer.isPlaceholderData || undefined}>
      <table className="plain-table home-table stacking">
        <thead>
          <tr>
            <SortHead field="name" head={of === 'buyer' ? 'Buyer' : 'Publisher'} sort={search.sort} onSort={(sort) => onChange({ sort })} />
            <th scope="col">Health</th>
            {columns.map(({ field, head }) => (
              <SortHead key={field} field={field} head={head} className="num" sort={search.sort} onSort={(sort) => onChange({ sort })} />
            ))}
          </tr>
        </thead>
        <tbody>
          {data.rows.map((row) => {
            const isOpen = search.open === row._id;
            return (
              <Fragment key={row._id}>
                <tr>
                  <th scope="row">
                    <button
                      type="button"
                      className="bare link home-name"
                      aria-expanded={isOpen}
                      onClick={() => onChange({ page: search.page, open: isOpen ? undefined : row._id })}
                    >
                      {isOpen ? <IconChevronDown size={15} aria-hidden /> : <IconChevronRight size={15} aria-hidden />}
                      {row.name}
                    </button>
                  </th>
                  <td data-head="Health">
                    <span className={`pill ${TONES[row.health]}`}>{HEALTH_WORDS[row.health]}</span>
                    {row.wrong.length > 0 && !isOpen && <span className="home-first-wrong muted small">{row.wrong[0]}</span>}
                  </td>
                  <Figures columns={columns} day={row.today} />
                </tr>
                {isOpen && <Opened of={of} row={row} columns={columns} leadsOf={leadsOf} />}
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

/** The file is asked for by the same words as the list. */
const asked = ({ q, health, sort }: HomeSearch, timeZone: string): Record<string, string> => ({
  timeZone,
  ...(q && { search: q }),
  ...(health && { health }),
  ...(sort && { sort }),
});

interface SortHeadProps {
  field: string;
  head: string;
  className?: string;
  sort: string | undefined;
  onSort: (sort: string | undefined) => void;
}

function SortHead({ field, head, className, sort, onSort }: SortHeadProps) {
  const order = sort === field ? 'ascending' : sort === `-${field}` ? 'descending' : undefined;
  return (
    <th scope="col" className={className} aria-sort={order}>
      <button type="button" className="bare sort-head" onClick={() => onSort(turnSort(sort, field))}>
        {head} <span aria-hidden="true">{order === 'ascending' ? '▲' : order === 'descending' ? '▼' : ''}</span>
      </button>
    </th>
  );
}

function Figures<Day>({ columns, day }: { columns: readonly HomeColumn<Day>[]; day: Day }) {
  return columns.map(({ head, cell, tone }) => (
    <td key={head} className={['num', tone?.(day)].filter(Boolean).join(' ')} data-head={head}>
      {cell(day)}
    </td>
  ));
}

type OpenedProps<Day> = Pick<HomePageProps<Day>, 'of' | 'columns' | 'leadsOf'> & { row: Row<Day> };

function Opened<Day>({ of, row, columns, leadsOf }: OpenedProps<Day>) {
  return (
    <>
      {(row.wrong.length > 0 || row.tiers.length === 0) && (
        <tr className="home-part">
          <td colSpan={columns.length + 2}>
            {row.wrong.length > 0 && (
              <ul className="home-wrong">
                {row.wrong.map((text) => (
                  <li key={text}>
                    <Sentence text={text} />
                  </li>
                ))}
              </ul>
            )}
            {row.tiers.length === 0 && <span className="muted">No tiers in the verticals that are open to you.</span>}
          </td>
        </tr>
      )}
      {row.tiers.map((tier) => (
        <tr key={tier._id} className="home-part">
          <th scope="row" className="home-tier">
            <TierName of={of} tier={tier} />
            <span className="muted small">{tier.placeName}</span>
          </th>
          <td>
            {tier.status === 'paused' && <span className="pill info">Paused</span>} <TierLeads tier={tier} leadsOf={leadsOf} />
          </td>
          <Figures columns={columns} day={tier.today} />
        </tr>
      ))}
    </>
  );
}

/** Who may set up its vertical goes to its form from here. */
function TierName<Day>({ of, tier }: { of: 'buyer' | 'publisher'; tier: Tier<Day> }) {
  const { session, places } = useSetup();
  const path = `/setup/${tier.region}/${tier.vertical}/tier/edit/${tier._id}`;
  if (!guardRoute(path, session, places).open) return tier.name;
  return (
    <Link to={path as string} search={{ of } as never} className="link">
      {tier.name}
    </Link>
  );
}

function TierLeads<Day>({ tier, leadsOf }: { tier: Tier<Day>; leadsOf: (tierId: string) => Record<string, string> }) {
  const { session, places } = useSetup();
  const path = `/setup/${tier.region}/${tier.vertical}/leads`;
  if (!guardRoute(path, session, places).open) return null;
  return (
    <Link to={path as string} search={{ ...leadsOf(tier._id), period: 'today' } as never} className="link small">
      Leads<span className="sr-only"> of {tier.name}</span>
    </Link>
  );
}
