/** The sentence for a filter: what is so about the lead, never the lead's own value. */
import type { Explanation } from './decision.ts';

type Verb = readonly [held: string, not: string];

/** How it reads when the condition holds, and when it does not. */
const VERBS: Readonly<Record<string, Verb>> = {
  equal: ['is', 'is not'],
  notEqual: ['is not', 'is'],
  in: ['is in', 'is not in'],
  notIn: ['is not in', 'is in'],
  between: ['is between', 'is not between'],
  atLeast: ['is at least', 'is less than'],
  atMost: ['is at most', 'is more than'],
  moreThan: ['is more than', 'is not more than'],
  lessThan: ['is less than', 'is not less than'],
  contains: ['contains', 'does not contain'],
  startsWith: ['starts with', 'does not start with'],
  endsWith: ['ends with', 'does not end with'],
  matches: ['matches', 'does not match'],
  present: ['is present', 'is missing'],
  absent: ['is missing', 'is present'],
};

/** "Filter: state is not in CA, TX." */
export function explainFilter(p: Explanation['params'], nameOf?: (fieldName: string) => string | undefined): string {
  const field = nameOf?.(String(p.field)) ?? p.field;
  const others = Number(p.others) > 0 ? `, nor is any of ${p.others} other condition${p.others === 1 ? '' : 's'} met` : '';
  return `Filter: ${field} ${predicate(p)}${others}.`;
}

function predicate(p: Explanation['params']): string {
  const value = p.value === '' ? '' : ` ${p.value}`;
  const verb = VERBS[String(p.is)];
  if (!verb) return `fails ${p.is}${value}`;
  return p.missing && value ? `is missing; it must ${infinitive(verb[p.held ? 1 : 0])}${value}` : `${verb[p.held ? 0 : 1]}${value}`;
}

/** 'is not in' -> 'not be in', 'starts with' -> 'start with'. */
function infinitive(verb: string): string {
  if (verb.startsWith('is not')) return `not be${verb.slice(6)}`;
  if (verb.startsWith('is')) return `be${verb.slice(2)}`;
  return verb
    .replace(/^does not /, 'not ')
    .replace(/^(contain|start|end)s/, '$1')
    .replace(/^matches/, 'match');
}
