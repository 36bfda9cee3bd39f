import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { AbTestBoard } from '#contract/ab-test.ts';
import { formatCount } from '#web/ui/format.ts';
import { IconPlus } from '#web/ui/icons.ts';
import { TimeAgo } from '#web/ui/reporting.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { abTestsQuery } from '../api/ab-test.ts';
import { usePlaceIds } from '../set-up/place-ids.ts';
import { PlaceTabs } from '../shell/PlaceTabs.tsx';
import { usePlaceName } from '../shell/use-place.ts';
import { STATUS } from './test-words.ts';
import './ab-test.css';

/** The tests of the vertical: those that run, drafts, and what was tried before. */
export function AbTestsPage() {
  const { place } = usePlaceIds();
  const placeName = usePlaceName();
  const board = useQuery(abTestsQuery(place));
  const base = `/setup/${place.region}/${place.vertical}/ab-testing`;
  const add = (
    <Button size="sm" component={Link} to={`${base}/new` as '/'} leftSection={<IconPlus size={16} aria-hidden />}>
      Add an A/B test
    </Button>
  );
  return (
    <div className="page">
      <title>{`A/B tests · ${placeName} · Sluice`}</title>
      <div className="page-head">
        <h1>A/B tests</h1>
        <span className="muted">{placeName}</span>
        <span className="push">{add}</span>
      </div>
      <PlaceTabs of="growth" />
      <section className="card" aria-label="A/B tests">
        {board.isPending && (
          <div className="card-body">
            <SkeletonLines count={6} height={22} />
          </div>
        )}
        {board.isError && <ErrorState error={board.error} onRetry={() => void board.refetch()} />}
        {board.data?.tests.length === 0 && (
          <EmptyState title="No A/B tests yet." action={add}>
            A test sends a part of a campaign’s consumers by another ping tree, or by other prices, margin or floor, always the same
            consumer by the same one. It tells how much more each earns, and how sure that is. Prepare the other tree as a draft in flow
            control.
          </EmptyState>
        )}
        {board.data && board.data.tests.length > 0 && <TestTable tests={board.data.tests} base={base} />}
      </section>
    </div>
  );
}

function TestTable({ tests, base }: { tests: AbTestBoard['tests']; base: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <section className="scroll-x" aria-label="Table of A/B tests" tabIndex={0}>
      <table className="plain-table">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">State</th>
            <th scope="col">Campaign</th>
            <th scope="col">Variants</th>
            <th scope="col" className="num">
              Leads
            </th>
            <th scope="col">Started</th>
            <th scope="col">Promoted</th>
          </tr>
        </thead>
        <tbody>
          {tests.map((test) => (
            <tr key={test._id}>
              <td>
                <Link to={`${base}/${test._id}` as '/'} className="link">
                  {test.name}
                </Link>
              </td>
              <td>
                <span className={`pill ${STATUS[test.status].tone}`}>{STATUS[test.status].label}</span>
              </td>
              <td>{test.campaignName}</td>
              <td>{test.variants.join(', ')}</td>
              <td className="num">
                {formatCount(test.leads)}
                {test.plannedLeads !== null && <span className="muted small"> of {formatCount(test.plannedLeads)}</span>}
              </td>
              <td>{test.startedAt ? <TimeAgo at={test.startedAt} /> : <span className="muted">Not yet</span>}</td>
              <td>{test.promoted ?? <span className="muted">–</span>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
