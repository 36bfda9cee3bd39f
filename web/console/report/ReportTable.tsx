import { Checkbox, Popover } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatCount } from '#web/ui/format.ts';
import { IconAdjustmentsHorizontal, IconArrowDown, IconArrowUp } from '#web/ui/icons.ts';
import { EmptyState } from '#web/ui/states.tsx';
import type { Place } from '../api/lead.ts';
import { useMayReadLeads, useSetup } from '../shell/use-place.ts';
import type { ReportSearch } from './report-search.ts';
import { useReportSearch } from './use-report-search.ts';
import '#web/ui/stacking-table.css';

export interface ReportColumn<Measures> {
  id: string;
  head: string;
  /** `before`: of the span before, where that is there. */
  cell: (now: Measures, before?: Measures) => ReactNode;
  /** What it is sorted by; null goes last. */
  value: (now: Measures, before?: Measures) => number | null;
  /** Not in sight until it is chosen. */
  isExtra?: true;
}

export interface ReportRow<Measures> {
  keys: { _id: string; name: string }[];
  now: Measures;
  before?: Measures | undefined;
}

interface ReportTableProps<Measures> {
  title: string;
  /** Of its storage, beside the person's id. */
  name: string;
  heads: readonly string[];
  columns: readonly ReportColumn<Measures>[];
  rows: readonly ReportRow<Measures>[];
  rowCount: number;
  /** A file has no more of them, and one line for all others; without it a file has all. */
  fileRows?: number | undefined;
  /** None where figures of rows come to nothing together. */
  total?: Measures;
  totalBefore?: Measures;
  /** Beside the title, in place of how many there are. */
  says?: string;
  /** Where its leads are listed; a table without leads behind it has none. */
  place?: Place;
  search: ReportSearch;
  change: (part: ReportSearch) => void;
  /** What a click on a value narrows the report to; undefined where there is nothing below it. */
  narrow?: (row: ReportRow<Measures>) => ReportSearch | undefined;
  /** The page of a row's first value; undefined where it has none for this person. */
  linkOf?: (row: ReportRow<Measures>) => string | undefined;
  /** One row is looked at below: which, and what looks at another. */
  looked?: { id: string; onLook: (id: string) => void };
  /** What those that are shown have the most of where they are in no other order. */
  most?: string;
  /** Which leads stand behind a row. */
  leadsOf?: (row: ReportRow<Measures>) => Record<string, string> | undefined;
  /** What stands behind a row where that is no leads. */
  behind?: Behind<Measures>;
}

export interface Behind<Measures> {
  /** 'Leads'. */
  word: string;
  /** Below region and vertical. */
  route: string;
  /** What narrows that page to the row. */
  of: (row: ReportRow<Measures>) => Record<string, string> | undefined;
}

/** By any figure; what has none of it goes last. Without a column they stay as they are. */
export function sorted<Measures, Row extends Pick<ReportRow<Measures>, 'now' | 'before'>>(
  rows: readonly Row[],
  columns: readonly ReportColumn<Measures>[],
  sort: string | undefined,
): readonly Row[] {
  const column = columns.find(({ id }) => id === sort?.replace('-', ''));
  if (!column) return rows;
  const sign = sort!.startsWith('-') ? -1 : 1;
  return rows.toSorted((a, b) => {
    const [one, other] = [column.value(a.now, a.before), column.value(b.now, b.before)];
    if (one === null || other === null) return one === other ? 0 : one === null ? 1 : -1;
    return sign * (one - other);
  });
}

/** The columns in sight, and the choice of them: as the address says, else as the person chose last. */
export function useColumnsInSight(name: string, columns: readonly { id: string; isExtra?: true }[]) {
  const { user } = useSetup();
  const { columns: asked } = useReportSearch();
  const navigate = useNavigate();
  const byDefault = columns.filter(({ isExtra }) => !isExtra).map(({ id }) => id);
  const [chosen, setChosen] = useLocalStorage<string[]>({
    key: `reportColumns:${name}:${user._id}`,
    defaultValue: byDefault,
    getInitialValueInEffect: false,
  });
  const known = asked?.split(',').filter((id) => columns.some((column) => column.id === id)) ?? [];
  const ids = known.length > 0 ? known : chosen;
  const inAddress = (next: string | undefined) =>
    void navigate({
      to: '.',
      search: ((before: ReportSearch) => ({ ...before, columns: next })) as never,
      replace: true,
      resetScroll: false,
    });
  const setIds = (next: string[]) => {
    setChosen(next);
    inAddress(next.join(',') || undefined);
  };
  const reset = () => {
    setChosen(byDefault);
    inAddress(undefined);
  };
  const inOrder = columns.filter(({ id }) => ids.includes(id)).map(({ id }) => id);
  return { inOrder, ids, setIds, reset };
}

/** One line a value, the totals below; sorted by any figure, and narrowed or drilled down by its name. */
export function ReportTable<Measures>(props: ReportTableProps<Measures>) {
  const { title, name, heads, columns, rows, rowCount, total, totalBefore, place, search, change, narrow, linkOf, leadsOf } = props;
  const { looked, says, fileRows = rowCount, most = 'attempts' } = props;
  const { inOrder, ids, setIds, reset } = useColumnsInSight(name, columns);
  const shown = columns.filter(({ id }) => inOrder.includes(id));
  const mayRead = useMayReadLeads();
  const behind = props.behind ?? (leadsOf && mayRead ? { word: 'Leads', route: 'leads', of: leadsOf } : undefined);
  return (
    <section className="card report-table-card" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <span className="muted small tabular">
          {rows.length < rowCount
            ? `The ${formatCount(rows.length)} with ${mostOf(columns, search.sort) ?? `the most ${most}`} of ${formatCount(rowCount)}; ${inFile(rowCount, fileRows)}`
            : (says ?? formatCount(rowCount))}
        </span>
        <ColumnChoice columns={columns} ids={ids} onChange={setIds} onReset={reset} />
      </header>
      {rows.length === 0 ? (
        <EmptyState title="Nothing in this span.">Choose another span, or take filters away.</EmptyState>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
        <section className="scroll-x" aria-label={`${title}, table`} tabIndex={0}>
          <table className="plain-table report-table stacking">
            <thead>
              <tr>
                {heads.map((head) => (
                  <th key={head} scope="col">
                    {head}
                  </th>
                ))}
                {shown.map((column) => (
                  <SortHead key={column.id} column={column} sort={search.sort} onSort={(sort) => change({ sort })} />
                ))}
                {behind && (
                  <th scope="col" className="no-print">
                    <span className="sr-only">{behind.word}</span>
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {sorted(rows, columns, search.sort).map((row) => (
                <Line key={row.keys.map(({ _id }) => _id).join(' ')} {...{ row, shown, place, change, narrow, linkOf, behind, looked }} />
              ))}
            </tbody>
            {total && (
              <tfoot>
                <tr>
                  <th scope="row" colSpan={heads.length}>
                    Total
                  </th>
                  {shown.map(({ id, head, cell }) => (
                    <td key={id} data-head={head} className="num">
                      {cell(total, totalBefore)}
                    </td>
                  ))}
                  {behind && <td className="no-print" />}
                </tr>
              </tfoot>
            )}
          </table>
        </section>
      )}
    </section>
  );
}

/** "The most revenue", "the least revenue before". */
function mostOf(columns: readonly { id: string; head: string }[], sort: string | undefined): string | undefined {
  const column = columns.find(({ id }) => id === sort?.replace('-', ''));
  return column && `the ${sort!.startsWith('-') ? 'most' : 'least'} ${column.head.toLowerCase()}`;
}

/** What the file has of so many rows. */
const inFile = (rowCount: number, fileRows: number) =>
  rowCount > fileRows ? `the file has ${formatCount(fileRows)}, and a line for all others` : 'the file has all';

interface LineProps<Measures> extends Pick<ReportTableProps<Measures>, 'change'> {
  place: Place | undefined;
  narrow: ReportTableProps<Measures>['narrow'] | undefined;
  linkOf: ReportTableProps<Measures>['linkOf'] | undefined;
  behind: Behind<Measures> | undefined;
  looked: ReportTableProps<Measures>['looked'] | undefined;
  row: ReportRow<Measures>;
  shown: readonly ReportColumn<Measures>[];
}

function Line<Measures>({ row, shown, place, change, narrow, linkOf, behind, looked }: LineProps<Measures>) {
  const below = narrow?.(row);
  const own = linkOf?.(row);
  const search = behind?.of(row);
  const name = row.keys.map((key) => key.name).join(' · ');
  return (
    <tr data-chosen={(looked && row.keys[0]!._id === looked.id) || undefined}>
      {row.keys.map((key, at) => (
        <th key={key._id} scope="row">
          {own && at === 0 ? (
            <Link to={own as '/'} className="link report-name">
              {key.name}
            </Link>
          ) : looked ? (
            <button
              type="button"
              className="bare link report-name"
              aria-pressed={key._id === looked.id}
              onClick={() => looked.onLook(key._id)}
            >
              {key.name}
            </button>
          ) : below && at === row.keys.length - 1 ? (
            <button type="button" className="bare link report-name" onClick={() => change(below)}>
              {key.name}
            </button>
          ) : (
            key.name
          )}
        </th>
      ))}
      {shown.map(({ id, head, cell }) => (
        <td key={id} data-head={head} className="num">
          {cell(row.now, row.before)}
        </td>
      ))}
      {behind && (
        <td className="no-print">
          {search && place && (
            <Link
              to="/setup/$region/$vertical/$"
              params={{ ...place, _splat: behind.route }}
              search={search as never}
              className="link small"
              aria-label={`${behind.word} of ${name}`}
            >
              {behind.word}
            </Link>
          )}
        </td>
      )}
    </tr>
  );
}

interface SortHeadProps<Measures> {
  column: Pick<ReportColumn<Measures>, 'id' | 'head'>;
  sort: string | undefined;
  onSort: (sort: string | undefined) => void;
}

export function SortHead<Measures>({ column: { id, head }, sort, onSort }: SortHeadProps<Measures>) {
  const order = sort === id ? 'ascending' : sort === `-${id}` ? 'descending' : undefined;
  // The most first is what one looks for.
  const next = order === undefined ? `-${id}` : order === 'descending' ? id : undefined;
  return (
    <th scope="col" className="num" {...(order && { 'aria-sort': order })}>
      <button type="button" className="bare report-sort" onClick={() => onSort(next)}>
        {head}
        {order === 'ascending' && <IconArrowUp size={13} aria-hidden />}
        {order === 'descending' && <IconArrowDown size={13} aria-hidden />}
      </button>
    </th>
  );
}

interface ColumnChoiceProps {
  columns: readonly { id: string; head: string }[];
  ids: readonly string[];
  onChange: (ids: string[]) => void;
  onReset: () => void;
}

export function ColumnChoice({ columns, ids, onChange, onReset }: ColumnChoiceProps) {
  return (
    <Popover position="bottom-end" withRoles={false} trapFocus returnFocus>
      <Popover.Target>
        <button type="button" className="tool-button push no-print" aria-haspopup="dialog">
          <IconAdjustmentsHorizontal size={15} aria-hidden /> Columns
        </button>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label="Columns to show" className="column-choice">
        {columns.map(({ id, head }) => (
          <Checkbox
            key={id}
            size="md"
            label={head}
            checked={ids.includes(id)}
            onChange={(event) => onChange(event.currentTarget.checked ? [...ids, id] : ids.filter((one) => one !== id))}
          />
        ))}
        <button type="button" className="bare link small" onClick={onReset}>
          As at the start
        </button>
      </Popover.Dropdown>
    </Popover>
  );
}
