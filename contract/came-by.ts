/** How a lead came, in words: posted by API, posted from a landing page that it names, or sent by the lander of a card. Nothing but plain code. */
export const CAME_BY_WORDS = { api: 'API', landingPage: 'Landing page', lander: 'Lander' } as const;
export const CAME_BY = Object.keys(CAME_BY_WORDS) as (keyof typeof CAME_BY_WORDS)[];

/** "Lander: Grace Hopper"; without a name where none is known. */
export const cameByWords = ({ kind, name }: { kind: keyof typeof CAME_BY_WORDS; name: string }): string =>
  name === '' ? CAME_BY_WORDS[kind] : `${CAME_BY_WORDS[kind]}: ${name}`;
