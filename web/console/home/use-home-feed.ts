import { openEvents } from '../api/events.ts';
import { type LiveFigures, useLiveFigures } from '../api/use-live-figures.ts';

/** They count every place that somebody may look at. */
const figuresEveryMs = 10_000;

const follow = ({ moved, here }: LiveFigures) => openEvents('/api/console/home/feed', { heard: { ended: moved, here } });

/** Fresh figures of the pages of today when leads end. */
export const useHomeFeed = () => useLiveFigures('home', figuresEveryMs, follow);
