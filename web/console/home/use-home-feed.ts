import { openEvents } from '../api/events.ts';
import { type LiveFigures, useLiveFigures } from '../api/use-live-figures.ts';

/** They count every place that somebody may look at. */
const figuresEveryMs = 10_000;

/** What ended while it was gone is not told afterwards: then the figures are asked for as soon as it is there again. */
export const followHome = ({ moved, here, lost }: LiveFigures) =>
  openEvents('/api/console/home/feed', { onLost: lost, heard: { ended: moved, here } });

/** Fresh figures of the pages of today when leads end. */
export const useHomeFeed = () => useLiveFigures('home', figuresEveryMs, followHome);
