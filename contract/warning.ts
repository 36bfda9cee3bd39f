/** What is wrong right now with a tier, its owner, a campaign or a service: one judgement, told by the overview and by flow-control. */
import { z } from 'zod';

export const warningKind = z.enum([
  'breaker',
  'resting',
  'throttled',
  'unreachable',
  'unsettled',
  'fundsShort',
  'errors',
  'timeouts',
  'feedFailing',
  'capFull',
  'underFloor',
  'noKey',
  'noLander',
  'landerClosed',
  'unmapped',
  'capNearFull',
  'fundsLow',
  'pauseDate',
  'closedToday',
  'paused',
]);

export const warningView = z.object({
  kind: warningKind,
  /** A tier, a buyer, a campaign, a service, a feed, a card, or what is left out of routing. */
  subjectId: z.string(),
  /** The tiers that feel it, each as it stands in a tree or posts to a campaign. */
  tierIds: z.array(z.string()),
  /** Two or three words to stand beside each of those tiers. */
  mark: z.string(),
  /** The whole sentence, with the name of what it is about. */
  text: z.string(),
});
export type Warning = z.infer<typeof warningView>;
