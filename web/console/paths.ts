/** The pages that exist today, in the order of the menu. Every later page gets its line here and its route in routes.tsx. */
export const menu = [
  { to: '/setup/$region/$vertical/overview', label: 'Overview', page: 'overview', shortcut: 'o' },
  { to: '/setup/$region/$vertical/leads', label: 'Leads', page: null, shortcut: 'l' },
] as const;
export type MenuPage = (typeof menu)[number];
