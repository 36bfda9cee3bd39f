import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { guardRoute } from '../guard.ts';
import { labPath } from '../lab/lab-path.ts';
import { usePlaceIds } from '../set-up/place-ids.ts';
import { useSetup } from '../shell/use-place.ts';

/** To the testing lab with this campaign, for who may open it. */
export function ReplayLink({ campaignId }: { campaignId: string }) {
  const { session, places } = useSetup();
  const { place } = usePlaceIds();
  if (!guardRoute(labPath(place), session, places).open) return null;
  return (
    <Button size="xs" variant="default" component={Link} to={labPath(place, '/replay') as '/'} search={{ campaign: campaignId } as never}>
      Replay…
    </Button>
  );
}
