import type { LeadsSearch } from './leads-search.ts';

/** The list as it was last seen, so that the way back from a lead keeps its filters and its page. */
const seen = new Map<string, LeadsSearch>();
const keyOf = (place: { region: string; vertical: string }) => `${place.region}/${place.vertical}`;

export const rememberList = (place: { region: string; vertical: string }, search: LeadsSearch): void => void seen.set(keyOf(place), search);
export const lastList = (place: { region: string; vertical: string }): LeadsSearch => seen.get(keyOf(place)) ?? {};
