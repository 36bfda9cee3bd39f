/** The help that comes with the product. docs/help.md says how it is written and upgraded. */
import { type HelpText, helpText } from '#contract/help.ts';
import { consoleTerms } from './glossary-console.ts';
import { leadTerms } from './glossary-lead.ts';
import { moneyTerms } from './glossary-money.ts';
import { peopleTerms } from './glossary-people.ts';
import { treeTerms } from './glossary-tree.ts';
import { growthHelp } from './growth.ts';
import { leadsHelp } from './leads.ts';
import { learnHelp } from './learn.ts';
import { listsHelp } from './lists.ts';
import { organizationHelp } from './organization.ts';
import { portalHelp } from './portals.ts';
import { reportsHelp } from './reports.ts';
import { setUpHelp } from './set-up.ts';

/** Judged like what is typed into the console. */
export const PRODUCT_HELP: readonly HelpText[] = helpText
  .array()
  .parse([
    ...[...learnHelp, ...leadsHelp, ...reportsHelp, ...listsHelp, ...growthHelp, ...setUpHelp, ...organizationHelp, ...portalHelp],
    ...[...leadTerms, ...treeTerms, ...moneyTerms, ...peopleTerms, ...consoleTerms],
  ]);
