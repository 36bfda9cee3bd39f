import { Button } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { guardRoute } from '../guard.ts';
import { useSetup } from '../shell/use-place.ts';

/** To the testing lab with this campaign, for who may open it. */
export function ReplayLink({ campaignId }: { campaignId: string }) {
  const { session, places } = useSetup();
  const { region = '', vertical = '' } = useParams({ strict: false });
  const path = `/setup/${region}/${vertical}/testing-lab`;
  if (!guardRoute(path, session, places).open) return null;
  return (
    <Button
      size="xs"
      variant="default"
      component={Link}
      to="/setup/$region/$vertical/testing-lab"
      params={{ region, vertical } as never}
      search={{ campaign: campaignId } as never}
    >
      Replay…
    </Button>
  );
}
