import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { SecurityLineView, SecurityLogAnswer } from '#contract/security-log.ts';
import { SECURITY_FACTORS_LABELS, SECURITY_KIND_LABELS, SECURITY_OUTCOME_LABELS } from '#contract/security-words.ts';
import { ExactTime, useReporting } from '#web/ui/reporting.tsx';
import { getJson } from '../api/client.ts';
import { LinesOfLog } from '../change-log/LinesOfLog.tsx';
import { downloadCsv } from '../download-csv.ts';
import { PageTabs } from '../shell/PageTabs.tsx';
import { SecurityFilters } from './SecurityFilters.tsx';
import { hasFilter, type SecurityLogSearch, toSecurityLogFilters } from './security-log-search.ts';
import '#web/ui/stacking-table.css';
import '../lead/leads.css';
import './security-log.css';

/** Who signed in, how, from where and what came of it, and what was refused to whom (ASVS 5.0 16.3). */
export function SecurityLog() {
  const search = useSearch({ strict: false }) as SecurityLogSearch;
  const navigate = useNavigate();
  const { zone } = useReporting();
  const log = useInfiniteQuery({
    queryKey: ['security-log', search, zone],
    queryFn: ({ pageParam, signal }) => {
      const filters = { ...toSecurityLogFilters(search, zone, Date.now()), ...(pageParam && { before: pageParam }) };
      return getJson<SecurityLogAnswer>(`/api/v1/security-log?${new URLSearchParams(filters)}`, signal);
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.older,
  });
  const lines = log.data?.pages.flatMap((page) => page.lines) ?? [];
  const change = (part: Partial<SecurityLogSearch>) =>
    void navigate({ to: '/security-log', search: { ...search, ...part } as never, replace: true });
  const clear = () => void navigate({ to: '/security-log', search: {} as never, replace: true });
  return (
    <div className="page narrow">
      <title>Sign-ins and refusals · Sluice</title>
      <div className="page-head">
        <h1>Sign-ins and refusals</h1>
      </div>
      <PageTabs of="organization" />
      <LinesOfLog
        log={log}
        isEmpty={lines.length === 0}
        isNarrowed={hasFilter(search)}
        label="Find sign-ins and refusals"
        fileTitle="Every line found"
        emptyTitle={hasFilter(search) ? 'Nothing matches.' : 'Nothing has been written down yet.'}
        emptyText="Every sign-in of somebody of the team stands here with what came of it, and every call that was refused to them."
        olderLabel="Earlier lines"
        filters={<SecurityFilters search={search} onChange={change} />}
        onClear={clear}
        onDownload={() => downloadCsv('security-log', { ...toSecurityLogFilters(search, zone, Date.now()), timeZone: zone })}
      >
        <div className="card security-lines">
          <table className="plain-table stacking">
            <thead>
              <tr>
                <th scope="col">Person</th>
                <th scope="col">What</th>
                <th scope="col">From</th>
                <th scope="col">When</th>
              </tr>
            </thead>
            <tbody>
              {lines.map((line) => (
                <Line key={line._id} line={line} onPerson={(userId) => change({ userId })} />
              ))}
            </tbody>
          </table>
        </div>
      </LinesOfLog>
    </div>
  );
}

const tones: Partial<Record<SecurityLineView['outcome'], string>> = { done: 'good', 'next-step': 'muted', 'link-sent': 'info' };

function Line({ line, onPerson }: { line: SecurityLineView; onPerson: (userId: string) => void }) {
  const { userId, userName, byName, kind, outcome, factors, network, device, at, more } = line;
  const isRefused = !tones[outcome];
  return (
    <tr>
      <td>
        {userId ? (
          <button type="button" className="bare link" onClick={() => onPerson(userId)}>
            {userName || 'Somebody whose account is gone'}
          </button>
        ) : (
          <span className="muted">Nobody known</span>
        )}
      </td>
      <td>
        <span className="security-what">
          <span>
            {SECURITY_KIND_LABELS[kind]} <span className={`pill ${tones[outcome] ?? 'bad'}`}>{SECURITY_OUTCOME_LABELS[outcome]}</span>
          </span>
          <span className="muted small">
            {[factors && `by ${SECURITY_FACTORS_LABELS[factors]}`, byName && `by ${byName}`].filter(Boolean).join(', ')}
          </span>
          {isRefused && <Refusal line={line} />}
          {more > 0 && <span className="muted small">and {more} more like it in the same minute</span>}
        </span>
      </td>
      <td>
        <span className="security-what">
          {network ? <span className="mono">{network}</span> : <span className="muted">not kept</span>}
          <span className="muted small">{device}</span>
        </span>
      </td>
      <td className="muted small">
        <ExactTime at={at} />
      </td>
    </tr>
  );
}

/** Which call it was, and what was missing. */
function Refusal({ line: { call, statusCode, code, missing } }: { line: SecurityLineView }) {
  return (
    <>
      {missing && <span className="small">Missing: {missing}</span>}
      <span className="mono security-call">
        {call} → {statusCode} {code}
      </span>
    </>
  );
}
