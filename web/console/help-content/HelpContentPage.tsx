import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { HelpEntryView } from '#contract/help.ts';
import { HELP_KINDS, helpKindOf } from '#contract/help-kind.ts';
import { FilterChip } from '#web/ui/FilterChip.tsx';
import { formatCount } from '#web/ui/format.ts';
import { IconPlus } from '#web/ui/icons.ts';
import { Pager } from '#web/ui/Pager.tsx';
import { TimeAgo } from '#web/ui/reporting.tsx';
import { SearchBox } from '#web/ui/SearchBox.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { helpQuery } from '../api/help.ts';
import { findEntries, stateOf } from './find-entries.ts';
import type { HelpEntryState, HelpSearch } from './help-search.ts';
import { kindWords, stateWords, textsOf } from './help-words.ts';
import '../lead/leads.css';
import '#web/ui/stacking-table.css';
import './help-content.css';

const PAGE = 25;

/** What the help of every page says: prompts, terms, questions and articles. */
export function HelpContentPage() {
  const search = useSearch({ strict: false }) as HelpSearch;
  const navigate = useNavigate();
  const list = useQuery(helpQuery);
  const change = (part: HelpSearch) =>
    void navigate({ to: '/help-content', search: { ...search, page: undefined, ...part } as never, replace: true, resetScroll: false });
  const add = (
    <Button size="sm" component={Link} to={'/help-content/new' as '/'} leftSection={<IconPlus size={16} aria-hidden />}>
      Add an entry
    </Button>
  );
  return (
    <div className="page">
      <title>Help content · Sluice</title>
      <div className="page-head">
        <h1>Help content</h1>
        <span className="push">{add}</span>
      </div>
      <p className="muted help-lead-in">
        What the help of every page says, the same for all organizations of this installation. What is changed here stays when Sluice is
        upgraded.
      </p>
      <search className="lead-filters" aria-label="Find help">
        <SearchBox
          value={search.q ?? ''}
          label="Search all texts"
          className="help-search"
          onSearch={(q) => change({ q: q || undefined })}
        />
        <FilterChip
          name="Kind"
          options={HELP_KINDS.map((value) => ({ value, label: kindWords[value] }))}
          value={search.kind}
          emptyText=""
          onChange={(kind) => change({ kind: helpKindOf(kind) })}
        />
        <FilterChip
          name="State"
          options={Object.entries(stateWords).map(([value, label]) => ({ value, label }))}
          value={search.state}
          emptyText=""
          onChange={(state) => change({ state: state as HelpEntryState | undefined })}
        />
        {(search.q || search.kind || search.state) && (
          <button type="button" className="bare link" onClick={() => change({ q: undefined, kind: undefined, state: undefined })}>
            Clear all
          </button>
        )}
      </search>
      <section className="card" aria-label="Help entries">
        {list.isPending && (
          <div className="card-body">
            <SkeletonLines count={8} height={24} />
          </div>
        )}
        {list.isError && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
        {list.data && (
          <Found entries={findEntries(list.data.entries, search)} page={search.page ?? 1} onPage={(page) => change({ page })} />
        )}
      </section>
    </div>
  );
}

function Found({ entries, page, onPage }: { entries: HelpEntryView[]; page: number; onPage: (page: number) => void }) {
  if (entries.length === 0)
    return <EmptyState title="No help matches.">Search for another word, or look among the removed entries.</EmptyState>;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <section className="scroll-x" aria-label="Table of help entries" tabIndex={0}>
        <table className="plain-table stacking">
          <thead>
            <tr>
              <th scope="col">What it says</th>
              <th scope="col">Kind</th>
              <th scope="col">State</th>
              <th scope="col">Changed</th>
            </tr>
          </thead>
          <tbody>
            {entries.slice((page - 1) * PAGE, page * PAGE).map((entry) => (
              <Line key={`${entry.kind} ${entry.key}`} entry={entry} />
            ))}
          </tbody>
        </table>
      </section>
      <div className="help-foot">
        <span className="muted small">{formatCount(entries.length)} found</span>
        <Pager total={entries.length} pageSize={PAGE} page={page} onPage={onPage} />
      </div>
    </>
  );
}

function Line({ entry }: { entry: HelpEntryView }) {
  const [called, more] = textsOf(entry);
  return (
    <tr>
      <td className="help-said">
        <Link to={`/help-content/${entry.kind}/${entry.key}` as '/'} className="link">
          {entry.kind === 'prompt' ? entry.key : called}
        </Link>
        <span className="muted small">{entry.kind === 'prompt' ? called : more}</span>
      </td>
      <td data-head="Kind">{kindWords[entry.kind]}</td>
      <td data-head="State" className={entry.origin === 'product' && !entry.isRemoved ? 'muted' : undefined}>
        {stateWords[stateOf(entry)]}
      </td>
      <td data-head="Changed" className="muted small">
        {entry.version === 1 && entry.origin === 'product' ? (
          'Never'
        ) : (
          <>
            <TimeAgo at={entry.changedAt} /> by {entry.changedBy}
          </>
        )}
      </td>
    </tr>
  );
}
