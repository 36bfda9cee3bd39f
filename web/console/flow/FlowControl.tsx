import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { ChoiceSelect } from '#web/ui/ChoiceSelect.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { recordChoices } from '../api/choices.ts';
import { recordsQuery } from '../api/record.ts';
import { treeQuery } from '../api/tree.ts';
import { usePlaceIds } from '../set-up/place-ids.ts';
import { SetUpPage } from '../set-up/SetUpPage.tsx';
import { usePlaceRecords } from '../shell/use-place.ts';
import { FlowEditor } from './FlowEditor.tsx';
import './flow.css';
import '../set-up/record-form.css';

const FirstSetUp = lazy(() => import('../first-steps/FirstSetUp.tsx').then((module) => ({ default: module.FirstSetUp })));

/** flow-control: one campaign as a picture, from who posts to who buys. */
export function FlowControl() {
  const { place, verticalId } = usePlaceIds();
  const { campaign } = useSearch({ strict: false }) as { campaign?: string };
  const navigate = useNavigate();
  const campaigns = useQuery(recordsQuery({ ...within(verticalId), sort: [{ field: 'name' }] }));
  const named = useQuery({ ...recordsQuery(within(verticalId, campaign)), enabled: campaign !== undefined });
  // One that is not here, or was archived, leads to the first.
  const chosen = named.data?.data[0] ?? campaigns.data?.data[0];
  const isPending = campaigns.isPending || (campaign !== undefined && named.isPending);
  return (
    <SetUpPage
      title="Flow control"
      action={
        (campaigns.data?.total ?? 0) > 1 &&
        chosen && (
          <ChoiceSelect
            aria-label="Campaign"
            source={recordChoices('campaign', { verticalId })}
            emptyText="No campaigns found."
            value={chosen._id}
            onChange={(id) =>
              void navigate({ to: '/setup/$region/$vertical/flow-control', params: place, search: { campaign: id } as never })
            }
          />
        )
      }
    >
      {isPending && <SkeletonLines count={8} height={28} />}
      {campaigns.isError && <ErrorState error={campaigns.error} onRetry={() => void campaigns.refetch()} />}
      {campaigns.data && !chosen && <NoCampaign />}
      {!isPending && chosen && <ChosenFlow key={chosen._id} campaignId={chosen._id} />}
    </SetUpPage>
  );
}

/** Alone, or led through all that a first campaign needs. */
function NoCampaign() {
  const { place } = usePlaceIds();
  const records = usePlaceRecords();
  const [isGuided, setGuided] = useState(false);
  if (isGuided)
    return (
      <Suspense fallback={<SkeletonLines count={6} height={30} />}>
        <FirstSetUp {...records} />
      </Suspense>
    );
  return (
    <div className="card">
      <EmptyState
        title="No campaigns yet."
        action={
          <span className="row">
            <Button component={Link} to="/setup/$region/$vertical/campaigns/new" params={place as never}>
              Add a campaign
            </Button>
            <Button variant="default" onClick={() => setGuided(true)}>
              Guided set-up
            </Button>
          </span>
        }
      >
        A campaign leads from publisher tiers through checks and groups to buyer tiers. Its picture stands here. The guided set-up makes a
        buyer, a campaign and a publisher in one go.
      </EmptyState>
    </div>
  );
}

/** The campaign of this id, or the first, of a vertical. */
const within = (verticalId: string, _id?: string) => ({
  model: 'campaign',
  condition: { verticalId, ...(_id && { _id }) },
  fields: ['name'],
  limit: 1,
});

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
