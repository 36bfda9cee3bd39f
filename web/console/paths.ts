import type { SessionView } from '#contract/session.ts';

/**
 * The pages that exist today, in the order of the menu. Every later page gets its line here and its route in routes.tsx.
 * `pages`: values of the page catalogue; who may open any of them sees the entry.
 */
export const menu = [
  { to: '/setup/$region/$vertical/overview', label: 'Overview', pages: ['overview'], shortcut: 'o' },
  { to: '/setup/$region/$vertical/leads', label: 'Leads', pages: ['leadFlow-Inbound', 'leadFlow-Outbound', 'serverLogs'], shortcut: 'l' },
  { to: '/setup/$region/$vertical/flow-control', label: 'Set-up', pages: ['setup'], shortcut: 's' },
] as const;
export type MenuPage = (typeof menu)[number];

/** Owners and super admins see all; for the others a page may be switched off. The server decides again at every call. */
export function permittedPages(permission: SessionView['permissionObj']): MenuPage[] {
  if (!permission || permission.isOwner || permission.isSuperAdmin) return [...menu];
  return menu.filter(({ pages }) => pages.some((page) => permission.pageStatePermission[page] === true));
}

/** Whether the list of leads, and each of them, is open by this permission. */
export const mayReadLeads = (permission: SessionView['permissionObj']): boolean =>
  permittedPages(permission).some((page) => page.label === 'Leads');
