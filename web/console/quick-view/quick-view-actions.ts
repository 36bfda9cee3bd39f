/** What the quick view lists and what a key does to it (console §2); no part of it knows a screen. */
import type { QuickViewAction } from '#contract/reporting.ts';

export interface LogoutAction {
  type: 'logout';
  id: 'logout';
  icon: 'leave';
  name: string;
}
export type QuickAction = (QuickViewAction | LogoutAction) & { hint?: string };

const ownScreen = (route: string, name: string, icon: QuickViewAction['icon'], hint?: string): QuickAction => ({
  type: 1,
  id: route,
  icon,
  name,
  URLName: route,
  params: {},
  ...(hint && { hint }),
});

/** Console §2: the default actions; team and organization are for who may (console §6). */
export function defaultActions(runsTeam: boolean): QuickAction[] {
  return [
    ownScreen('change-profile', 'Change Profile', 'person'),
    ...(runsTeam
      ? [ownScreen('team', 'Team', 'team'), ownScreen('organization-edit', 'Account Settings', 'settings', 'Organization Edit')]
      : []),
    { type: 'logout', id: 'logout', icon: 'leave', name: 'Logout' },
  ];
}

/** The actions that hold every word of the term; those that begin with it come first. */
export function matchActions(actions: readonly QuickAction[], term: string): QuickAction[] {
  const wanted = term.trim().toLowerCase();
  const words = wanted.split(/\s+/);
  const found = actions.filter((one) => words.every((word) => `${one.name} ${one.hint ?? ''}`.toLowerCase().includes(word)));
  const begins = (one: QuickAction) => one.name.toLowerCase().startsWith(wanted);
  return [...found.filter(begins), ...found.filter((one) => !begins(one))];
}

/** The action that an arrow key leads to; behind the last comes the first. */
export function stepActive(actions: readonly QuickAction[], activeId: string | undefined, step: 1 | -1): string | undefined {
  const at = actions.findIndex((one) => one.id === activeId);
  return actions.at((at + step) % actions.length)?.id;
}

/** The address of a screen in the console; one of a vertical names both slugs. */
export function screenPath({ URLName, params: { slugR, slugV } }: QuickViewAction): string {
  return slugR && slugV ? `/setup/${encodeURIComponent(slugR)}/${encodeURIComponent(slugV)}/${URLName}` : `/${URLName}`;
}
