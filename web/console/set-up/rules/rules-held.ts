/** What a folded section of rules holds, in a few words. */
import type { RuleValues } from './RuleSections.tsx';

const many = (count: number, one: string, none: string): string => (count === 0 ? none : count === 1 ? `1 ${one}` : `${count} ${one}s`);

export const rulesHeld = (values: RuleValues): Record<keyof RuleValues, string> => ({
  filter: values.filter ? 'leads that meet its conditions' : 'every lead',
  suppressionLists: many(values.suppressionLists.length, 'list', 'none'),
  caps: many(values.caps.length, 'cap', 'no limit'),
  hours: values.hours ? 'by the hours of the week' : 'always open',
  pauseDates: many(values.pauseDates?.days.length ?? 0, 'pause', 'none'),
  duplicate: values.duplicate ? 'passed by' : 'not looked for',
});
