import { Button } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { ChangeLogAnswer, ChangeView } from '#contract/change-log.ts';
import { IconHistory } from '#web/ui/icons.ts';
import { ExactTime, useReporting } from '#web/ui/reporting.tsx';
import { SearchBox } from '#web/ui/SearchBox.tsx';
import { toast } from '#web/ui/toast.ts';
import { ApiError, getJson, postJson } from '../api/client.ts';
import { downloadCsv } from '../download-csv.ts';
import { BackMark } from '../set-up/SetUpPage.tsx';
import { SetUpTabs } from '../set-up/SetUpTabs.tsx';
import { PageTabs } from '../shell/PageTabs.tsx';
import { ChangeFilters } from './ChangeFilters.tsx';
import { type ChangeLogSearch, hasFilter, placeOfPage, toChangeLogFilters } from './change-log-search.ts';
import { LinesOfLog } from './LinesOfLog.tsx';
import { differences, placeName, sayValue } from './value-difference.ts';
import '../lead/leads.css';
import './change-log.css';

const words: Record<ChangeView['action'], string> = {
  add: 'added',
  edit: 'changed',
  remove: 'removed',
  restore: 'restored',
  order: 'reordered',
  publish: 'published the tree of',
  look: 'looked at',
  erase: 'erased',
};

/** change-logs-mgmt: who changed what, when and from where, before and after side by side, and the way back. */
export function ChangeLog() {
  const search = useSearch({ strict: false }) as ChangeLogSearch;
  const navigate = useNavigate();
  const { zone } = useReporting();
  const log = useInfiniteQuery({
    queryKey: ['change-log', search, zone],
    queryFn: ({ pageParam, signal }) => {
      const filters = { ...toChangeLogFilters(search, zone, Date.now()), ...(pageParam && { before: pageParam }) };
      return getJson<ChangeLogAnswer>(`/api/v1/change-log?${new URLSearchParams(filters)}`, signal);
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.older,
  });
  const changes = log.data?.pages.flatMap((page) => page.changes) ?? [];
  const change = (part: Partial<ChangeLogSearch>) =>
    void navigate({ to: '/change-logs-mgmt', search: { ...search, ...part } as never, replace: true });
  const clear = () => void navigate({ to: '/change-logs-mgmt', search: { back: search.back } as never, replace: true });
  const place = placeOfPage(search.back);
  return (
    <div className={place ? 'page' : 'page narrow'}>
      <title>Change log · Sluice</title>
      <div className="page-head">
        <h1>Change log</h1>
      </div>
      {/* Who came from the set-up area stays in it. */}
      {place ? <SetUpTabs place={place} back={search.back!} /> : <PageTabs of="organization" />}
      {place && <BackLink href={search.back!} />}
      <LinesOfLog
        log={log}
        isEmpty={changes.length === 0}
        isNarrowed={hasFilter(search)}
        label="Find changes"
        fileTitle="Every change found, a line for each value"
        emptyTitle={hasFilter(search) ? 'No changes match.' : 'Nothing has been changed yet.'}
        emptyText="Every change of the set-up stands here, with what was before and what came after."
        olderLabel="Earlier changes"
        filters={
          <>
            <SearchBox
              value={search.q ?? ''}
              label="Search by record or person"
              className="change-search"
              onSearch={(q) => change({ q: q || undefined })}
            />
            <ChangeFilters search={search} onChange={change} />
          </>
        }
        onClear={clear}
        onDownload={() => downloadCsv('change-log', { ...toChangeLogFilters(search, zone, Date.now()), timeZone: zone })}
      >
        <ol className="changes">
          {changes.map((one) => (
            <Change key={one._id} change={one} onRecord={() => change({ recordId: one.recordId })} />
          ))}
        </ol>
      </LinesOfLog>
    </div>
  );
}

function BackLink({ href }: { href: string }) {
  const [path = '', query = ''] = href.split('?');
  return (
    <p className="set-up-back">
      <Link to={path as '/'} search={Object.fromEntries(new URLSearchParams(query)) as never} className="link row">
        <BackMark /> Back to where you came from
      </Link>
    </p>
  );
}

function Change({ change, onRecord }: { change: ChangeView; onRecord: () => void }) {
  const { action, userName, modelLabel, recordName, network, at, isRolledBack, rollsBack } = change;
  const names = [...new Set([...Object.keys(change.before), ...Object.keys(change.after)])];
  const lines = names.flatMap((name) => differences(change.before[name], change.after[name], name));
  return (
    <li className="card card-pad change">
      <div className="change-head">
        <span>
          <strong>{userName}</strong> {rollsBack ? 'took back: ' : ''}
          {words[action]} {modelLabel.toLowerCase()}{' '}
          <button type="button" className="bare link" onClick={onRecord}>
            {recordName || 'without a name'}
          </button>
        </span>
        <span className="muted small">
          <ExactTime at={at} />
          {network && ` from ${network}`}
        </span>
        {isRolledBack ? <span className="pill muted">Taken back</span> : <RollBack change={change} />}
      </div>
      {lines.length > 0 && (
        <details open={action === 'edit' && lines.length <= 8}>
          <summary className="small">
            {lines.length} {lines.length === 1 ? 'value' : 'values'}
          </summary>
          <table className="change-values">
            <thead>
              <tr>
                <th scope="col">What</th>
                <th scope="col">Before</th>
                <th scope="col">After</th>
              </tr>
            </thead>
            <tbody>
              {lines.map(({ place, before, after }) => (
                <tr key={place}>
                  <th scope="row">{placeName(place)}</th>
                  <td>{sayValue(before)}</td>
                  <td>{sayValue(after)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
    </li>
  );
}

function RollBack({ change }: { change: ChangeView }) {
  const client = useQueryClient();
  const [refusal, setRefusal] = useState<string | null>(null);
  const roll = useMutation({
    mutationFn: () => postJson<{ msg: string }>('/api/v1/change-log/roll-back', { _id: change._id }),
    onSuccess: async ({ msg }) => {
      void toast('success', msg);
      await client.invalidateQueries();
    },
    onError: (error) =>
      error instanceof ApiError && error.httpStatus === 409 ? setRefusal(error.message) : void toast('error', error.message),
  });
  if (change.final) return <span className="muted small change-final">{change.final}</span>;
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconHistory size={15} aria-hidden />}
        loading={roll.isPending}
        disabled={refusal !== null}
        onClick={() => roll.mutate()}
      >
        Take back
      </Button>
      {refusal && (
        <p className="bad small change-refusal" role="alert">
          {refusal}
        </p>
      )}
    </>
  );
}
