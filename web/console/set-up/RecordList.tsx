import { ActionIcon, Button, Menu } from '@mantine/core';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { FileTools } from '#web/ui/FileTools.tsx';
import { FilterChip } from '#web/ui/FilterChip.tsx';
import { formatCount } from '#web/ui/format.ts';
import { IconDots } from '#web/ui/icons.ts';
import { Pager } from '#web/ui/Pager.tsx';
import { useReporting } from '#web/ui/reporting.tsx';
import { SearchBox } from '#web/ui/SearchBox.tsx';
import { EmptyState, ErrorState, NotRefreshed, SkeletonLines } from '#web/ui/states.tsx';
import { useOpenedAtOnce } from '#web/ui/use-opened-at-once.ts';
import { type ListAnswer, type RecordRow, recordsQuery } from '../api/record.ts';
import { downloadRecords } from '../download-csv.ts';
import { message } from '../message.ts';
import { ColumnMenu } from './ColumnMenu.tsx';
import { ListFilters } from './ListFilters.tsx';
import { useColumns, usePageSize } from './list-columns.ts';
import { type FilterField, type ListSearch, pageSizes, toListing, turnSort } from './list-search.ts';
import { isPausable, useRecordActions } from './record-actions.ts';
import '#web/ui/data-table.css';
import '../lead/leads.css';
import '#web/ui/stacking-table.css';
import './record-list.css';

export interface ListColumn {
  field: string;
  head: string;
  cell?: (row: RecordRow) => ReactNode;
  numeric?: boolean;
  /** Can be sorted by; true unless said otherwise. */
  sorts?: false;
  /** Not shown until it is chosen. */
  optional?: true;
}

export interface ListSpec {
  model: string;
  /** 'buyer', 'buyers'. */
  one: string;
  many: string;
  columns: readonly ListColumn[];
  /** What the search looks through. */
  searches: string;
  /** What these are for, to who has none yet. */
  teaches: string;
  /** Gone when it is removed, instead of archived. */
  removal?: 'delete';
  /** A new one may begin as another is; true unless said otherwise. */
  hasCopy?: false;
  /** Fields that a line needs beside its columns. */
  also?: readonly string[];
  /** What it can be narrowed by beside status. */
  filters?: readonly FilterField[];
}

interface RecordListProps {
  spec: ListSpec;
  /** What narrows the list whatever is searched, such as the vertical at hand. */
  condition?: Record<string, unknown>;
  search: ListSearch;
  onSearch: (next: ListSearch) => void;
  /** Where a record is opened: '/setup/us/payday/tier/edit/...?of=buyer'. */
  hrefOf: (row: RecordRow) => string;
  /** Opens the form for a new one; with a row, filled as that one is. */
  /** Absent where nothing may be added. */
  onAdd?: ((like?: RecordRow) => void) | undefined;
}

/** A list of records: searched, sorted, filtered and paged on the server, with what can be done to each. */
export function RecordList({ spec, condition = {}, search, onSearch, hrefOf, onAdd }: RecordListProps) {
  const { columns, turn, reset } = useColumns(spec);
  const [pageSize, setPageSize] = usePageSize(spec.model);
  // What the list is narrowed to anyway is no choice.
  const filters = (spec.filters ?? []).filter((field) => !(field in condition));
  const listing = toListing(spec.model, search, {
    condition,
    columns: spec.columns.map((one) => one.field),
    // What is deleted and not archived has no status.
    also: [...(spec.removal === 'delete' ? [] : ['status']), ...(spec.also ?? [])],
    filters,
    pageSize,
  });
  const records = useQuery(recordsQuery(listing));
  const { zone } = useReporting();
  const isFiltered = [search.q, search.status, ...filters.map((field) => search[field])].some((one) => one !== undefined);
  const change = (part: ListSearch) => onSearch({ ...search, page: undefined, ...part });
  const { skip, limit, fields, ...whole } = listing;
  return (
    <section className="card" aria-label={spec.many}>
      <div className="leads-bar record-bar">
        <SearchBox
          value={search.q ?? ''}
          label={`Search by ${spec.searches}`}
          className="record-search"
          onSearch={(q) => change({ q: q || undefined })}
        />
        {spec.removal !== 'delete' && <StatusChip spec={spec} search={search} onChange={(status) => change({ status })} />}
        <ListFilters model={spec.model} filters={filters} condition={condition} search={search} onChange={change} />
        <span className="muted small tabular" role="status">
          {records.data && `${formatCount(records.data.total)} ${records.data.total === 1 ? spec.one : spec.many}`}
        </span>
        <span className="push" />
        <ColumnMenu columns={spec.columns} shown={new Set(columns.map((one) => one.field))} onTurn={turn} onReset={reset} />
        <FileTools
          isBarred={!records.data?.total}
          title="Every one found, with the columns shown here"
          onSave={() => downloadRecords({ listing: whole, name: spec.many, columns, zone })}
        />
      </div>
      <NotRefreshed query={records} />
      <Body
        spec={{ ...spec, columns }}
        records={records}
        search={search}
        isFiltered={isFiltered}
        onSearch={change}
        onClear={() => onSearch({ sort: search.sort })}
        hrefOf={hrefOf}
        onAdd={onAdd}
      />
      {records.data && (
        <Pager
          total={records.data.total}
          page={search.page ?? 1}
          pageSize={pageSize}
          onPage={(page) => onSearch({ ...search, page })}
          pageSizes={pageSizes}
          onPageSize={(size) => {
            setPageSize(size);
            change({});
          }}
        />
      )}
    </section>
  );
}

function StatusChip({ spec, search, onChange }: { spec: ListSpec; search: ListSearch; onChange: (status: ListSearch['status']) => void }) {
  const words = { active: 'Active', ...(isPausable(spec.model) && { paused: 'Paused' }), archived: 'Archived' };
  const options = Object.entries(words).map(([value, label]) => ({ value, label }));
  const set = (value: string | undefined) => onChange((['active', 'paused', 'archived'] as const).find((one) => one === value));
  return <FilterChip name="Status" options={options} value={search.status} emptyText="" onChange={set} />;
}

interface BodyProps extends Pick<RecordListProps, 'spec' | 'search' | 'hrefOf' | 'onAdd'> {
  records: UseQueryResult<ListAnswer>;
  isFiltered: boolean;
  onSearch: (part: ListSearch) => void;
  onClear: () => void;
}

function Body({ spec, records, search, isFiltered, onSearch, onClear, hrefOf, onAdd }: BodyProps) {
  if (records.isPending)
    return (
      <div className="card-body">
        <SkeletonLines count={8} height={22} />
      </div>
    );
  if (!records.data) return <ErrorState error={records.error} onRetry={() => void records.refetch()} />;
  // The last row of the last page is gone: what is left stands on the page before.
  if (records.data.data.length === 0 && records.data.total > 0)
    return (
      <EmptyState
        title="This page is empty."
        action={
          <Button variant="default" size="xs" onClick={() => onSearch({ page: undefined })}>
            To the first page
          </Button>
        }
      />
    );
  if (records.data.data.length === 0 && isFiltered)
    return (
      <EmptyState
        title={`No ${spec.many} match.`}
        action={
          <Button variant="default" size="xs" onClick={onClear}>
            Clear filters
          </Button>
        }
      />
    );
  if (records.data.data.length === 0)
    return (
      <EmptyState title={`No ${spec.many} yet.`} action={onAdd && <Button onClick={() => onAdd()}>Add {articleOf(spec.one)}</Button>}>
        {spec.teaches}
      </EmptyState>
    );
  return (
    <section className="data-table-box" aria-label={`Table of ${spec.many}`} data-stale={records.isPlaceholderData || undefined}>
      <table className="data-table record-table stacking">
        <thead>
          <tr>
            {spec.columns.map((column) => (
              <Head key={column.field} column={column} sort={search.sort} onSort={(sort) => onSearch({ sort })} />
            ))}
            <th scope="col" className="record-acts">
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {records.data.data.map((row) => (
            <Line key={row._id} spec={spec} row={row} href={hrefOf(row)} onAdd={onAdd} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

export const articleOf = (word: string): string => `${/^[aeiou]/i.test(word) ? 'an' : 'a'} ${word}`;

function Head({ column, sort, onSort }: { column: ListColumn; sort: string | undefined; onSort: (sort: string | undefined) => void }) {
  const { field, head, numeric, sorts } = column;
  const order = sort === field ? 'ascending' : sort === `-${field}` ? 'descending' : undefined;
  const className = numeric ? 'num' : undefined;
  if (sorts === false)
    return (
      <th scope="col" className={className}>
        {head}
      </th>
    );
  return (
    <th scope="col" className={className} aria-sort={order}>
      <button type="button" className="bare sort-head" onClick={() => onSort(turnSort(sort, field))}>
        {head} <span aria-hidden="true">{order === 'ascending' ? '▲' : order === 'descending' ? '▼' : ''}</span>
      </button>
    </th>
  );
}

const STATUS = { active: 'good', paused: 'warn', archived: 'muted' } as const;

export function StatusPill({ status }: { status: unknown }) {
  const tone = STATUS[status as keyof typeof STATUS] ?? 'muted';
  const word = String(status);
  return <span className={`pill ${tone}`}>{word.charAt(0).toUpperCase() + word.slice(1)}</span>;
}

type LineProps = Pick<RecordListProps, 'spec' | 'onAdd'> & { row: RecordRow; href: string };

function Line({ spec, row, href, onAdd }: LineProps) {
  const [first, ...others] = spec.columns;
  const navigate = useNavigate();
  const open = (event: React.MouseEvent<HTMLElement>) => {
    if (window.getSelection()?.isCollapsed !== false && !(event.target as HTMLElement).closest('a,button,[role=menu]'))
      void navigate({ href });
  };
  const [path, query = ''] = href.split('?');
  return (
    <tr onClick={open}>
      <td>
        <Link to={path as '/'} search={Object.fromEntries(new URLSearchParams(query)) as never} className="link">
          {first!.cell ? first!.cell(row) : String(row[first!.field] ?? '')}
        </Link>
      </td>
      {others.map(({ field, head, cell, numeric }) => (
        <td key={field} className={numeric ? 'num' : undefined} data-head={head}>
          {cell ? cell(row) : field === 'status' ? <StatusPill status={row.status} /> : String(row[field] ?? '')}
        </td>
      ))}
      <td className="num record-acts">
        <RowMenu spec={spec} row={row} name={String(row[first!.field] ?? '')} href={href} onAdd={onAdd} />
      </td>
    </tr>
  );
}

type RowMenuProps = LineProps & { name: string };

/** A page of fifty menus that nobody opens costs more than its rows: each is made when it is asked for. */
function RowMenu(props: RowMenuProps) {
  const [isWanted, setWanted] = useState(false);
  if (isWanted) return <OpenRowMenu {...props} />;
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={28}
      aria-label={`Actions for ${props.name}`}
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={() => setWanted(true)}
    >
      <IconDots size={17} />
    </ActionIcon>
  );
}

function OpenRowMenu({ spec, row, name, href, onAdd }: RowMenuProps) {
  const { pause, resume, archive, remove, restore, isPending } = useRecordActions(spec, row, name);
  const isArchived = row.status === 'archived';
  const navigate = useNavigate();
  const isShared = row.mayEdit === false;
  const canPause = isPausable(spec.model) && spec.removal !== 'delete' && !isShared;
  const { button, ...menu } = useOpenedAtOnce();
  return (
    <Menu {...menu} position="bottom-end" width={180} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon ref={button} variant="subtle" color="gray" size={28} aria-label={`Actions for ${name}`} loading={isPending}>
          <IconDots size={17} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown aria-label={`Actions for ${name}`}>
        <Menu.Item onClick={() => void navigate({ href })}>{isShared ? 'View' : 'Edit'}</Menu.Item>
        {spec.hasCopy !== false && onAdd && <Menu.Item onClick={() => onAdd(row)}>Duplicate</Menu.Item>}
        {canPause && row.status === 'active' && <Menu.Item onClick={pause}>Pause</Menu.Item>}
        {canPause && row.status === 'paused' && <Menu.Item onClick={resume}>Resume</Menu.Item>}
        <Menu.Divider />
        {isShared && <Menu.Label>{message('recordShared', `This ${spec.one}`)}</Menu.Label>}
        {!isShared && isArchived && <Menu.Item onClick={restore}>Restore</Menu.Item>}
        {!isShared && !isArchived && (
          <Menu.Item color="red" onClick={() => (spec.removal === 'delete' ? remove() : archive())}>
            {spec.removal === 'delete' ? 'Delete' : 'Archive'}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
