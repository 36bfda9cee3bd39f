/** Who may do what with lists, banks and BINs (decision 0021): they are the organization's, and the page that manages them is the right to. */
import { maySetUp, pageStatePermission } from '#server/session/session.policy.ts';
import type { SignedIn } from '#server/session/session.sql.ts';

const may =
  (...pages: string[]) =>
  (person: SignedIn): boolean =>
    pages.some((page) => pageStatePermission(person)[page]);

export const mayManageLists = may('dataMgmt-Configuration');
export const mayImportLists = may('dataMgmt-Inbound');
/** Whoever sets tiers up chooses among them. */
export const mayReadLists = (person: SignedIn): boolean => mayManageLists(person) || mayImportLists(person) || maySetUp(person) !== false;
export const mayManageBanks = may('Bank-Mgmt');
export const mayManageBins = may('bin-mgmt');
export const mayReadBins = may('bin-mgmt', 'bin-lookup');
