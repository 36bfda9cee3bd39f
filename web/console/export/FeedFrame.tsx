import type { ReactNode } from 'react';
import { ListsPage } from '../lists/ListsPage.tsx';
import { usePlaceName } from '../shell/use-place.ts';

/** The frame of the screens of feeds: they are of a vertical, as lists are not. */
export const FeedFrame = (props: { title: string; back?: ReactNode; action?: ReactNode; children: ReactNode }) => (
  <ListsPage {...props} reach={usePlaceName()} />
);
