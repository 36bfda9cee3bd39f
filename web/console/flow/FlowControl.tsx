import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { SelectSearch } from '#web/ui/SelectSearch.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { recordsQuery } from '../api/record.ts';
import { treeQuery } from '../api/tree.ts';
import { usePlaceIds } from '../set-up/place-ids.ts';
import { SetUpPage } from '../set-up/SetUpPage.tsx';
import { FlowEditor } from './FlowEditor.tsx';
import './flow.css';

/** flow-control: one campaign as a picture, from who posts to who buys. */
export function FlowControl() {
  const { place, verticalId } = usePlaceIds();
  const { campaign } = useSearch({ strict: false }) as { campaign?: string };
  const navigate = useNavigate();
  const campaigns = useQuery(recordsQuery({ model: 'campaign', condition: { verticalId }, sort: [{ field: 'name' }], limit: 1000 }));
  const rows = campaigns.data?.data ?? [];
  const chosen = rows.find((row) => row._id === campaign) ?? rows[0];
  return (
    <SetUpPage
      title="Flow control"
      action={
        rows.length > 1 &&
        chosen && (
          <SelectSearch
            aria-label="Campaign"
            size="sm"
            options={rows.map((row) => ({ value: row._id, label: String(row.name) }))}
            emptyText="No campaigns found."
            value={chosen._id}
            onChange={(id) =>
              id && void navigate({ to: '/setup/$region/$vertical/flow-control', params: place, search: { campaign: id } as never })
            }
          />
        )
      }
    >
      {campaigns.isPending && <SkeletonLines count={8} height={28} />}
      {campaigns.isError && <ErrorState error={campaigns.error} onRetry={() => void campaigns.refetch()} />}
      {campaigns.data && !chosen && (
        <div className="card">
          <EmptyState
            title="No campaigns yet."
            action={
              <Button component={Link} to="/setup/$region/$vertical/campaigns/new" params={place as never}>
                Add a campaign
              </Button>
            }
          >
            A campaign leads from publisher tiers through checks and groups to buyer tiers. Its picture stands here.
          </EmptyState>
        </div>
      )}
      {chosen && <ChosenFlow key={chosen._id} campaignId={chosen._id} />}
    </SetUpPage>
  );
}

function ChosenFlow({ campaignId }: { campaignId: string }) {
  const tree = useQuery(treeQuery(campaignId));
  if (tree.isPending) return <SkeletonLines count={8} height={28} />;
  if (tree.isError) return <ErrorState error={tree.error} onRetry={() => void tree.refetch()} />;
  return (
    <>
      {tree.data.test && <TestNote test={tree.data.test} />}
      <FlowEditor read={tree.data} />
    </>
  );
}

/** The tree of this page is not the only one while a test runs, and publishing changes what the test compares with. */
function TestNote({ test }: { test: { _id: string; name: string } }) {
  const { place } = usePlaceIds();
  return (
    <p className="draft-note" role="note">
      <span>
        The A/B test{' '}
        <Link to={`/setup/${place.region}/${place.vertical}/ab-testing/${test._id}` as '/'} className="link">
          {test.name}
        </Link>{' '}
        runs: a part of the consumers goes by variants. What you publish changes its control.
      </span>
    </p>
  );
}
