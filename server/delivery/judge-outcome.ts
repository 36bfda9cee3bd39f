/** Outcome rules, prepared once. The first rule whose conditions all hold wins. */
import type { Condition, OutcomeRule, ResponseRules } from '#contract/endpoint.ts';
import type { Answer } from '#engine/effect.ts';
import { readBoolean } from './boolean-word.ts';
import { compileLocator, requirePattern } from './locate.ts';
import type { OpenedAnswer } from './open-answer.ts';
import { plainDecimal } from './read-price.ts';

export type ReadOutcome = Exclude<Answer['outcome'], 'timeout'>;
/** `rule` is its place in the list; absent when none matched. */
export interface Judgement {
  outcome: ReadOutcome;
  rule?: number;
}
type Test = (answer: OpenedAnswer) => boolean;

export function compileOutcomes(rules: Pick<ResponseRules, 'outcomes' | 'otherwise'>): (answer: OpenedAnswer) => Judgement {
  const compiled = rules.outcomes.map(compileRule);
  return (answer) => {
    const rule = compiled.findIndex((holds) => holds(answer));
    return rule < 0 ? { outcome: rules.otherwise ?? 'error' } : { outcome: rules.outcomes[rule]!.outcome, rule };
  };
}

/** An empty body is no acceptance unless the rule says that the body is empty. */
function compileRule(rule: OutcomeRule): Test {
  const tests = rule.when.map(compileCondition);
  const allowsEmpty =
    rule.outcome !== 'accepted' || rule.when.some((test) => test.is === 'absent' && 'part' in test.at && test.at.part === 'body');
  return (answer) => (allowsEmpty || answer.text.trim() !== '') && tests.every((holds) => holds(answer));
}

function compileCondition(condition: Condition): Test {
  const locate = compileLocator(condition.at);
  const holds = compileTest(condition);
  return (answer) => {
    const found = locate(answer)[0];
    return holds(found === null ? undefined : found?.trim());
  };
}

/** Of one value; undefined when the place does not exist or holds null. */
function compileTest(condition: Condition): (text: string | undefined) => boolean {
  switch (condition.is) {
    case 'present':
      return (text) => text !== undefined && text !== '';
    case 'absent':
      return (text) => text === undefined || text === '';
    case 'true':
      return (text) => text !== undefined && readBoolean(text) === true;
    case 'false':
      return (text) => text !== undefined && readBoolean(text) === false;
    case 'equal':
      return compileEqual(condition.value, condition.caseSensitive);
    case 'notEqual': {
      const equal = compileEqual(condition.value, condition.caseSensitive);
      return (text) => !equal(text);
    }
    case 'in': {
      const equals = condition.values.map((value) => compileEqual(value, condition.caseSensitive));
      return (text) => equals.some((equal) => equal(text));
    }
    case 'contains': {
      const wanted = fold(condition.value, condition.caseSensitive);
      return (text) => text !== undefined && fold(text, condition.caseSensitive).includes(wanted);
    }
    case 'matches': {
      const pattern = requirePattern(condition.pattern);
      return (text) => text !== undefined && pattern.find(text, 0) !== undefined;
    }
    case 'atLeast':
      return (text) => {
        const decimal = text === undefined ? undefined : plainDecimal(text, 'auto');
        return decimal !== undefined && Number(decimal) >= condition.value;
      };
  }
}

/** The whole text; a boolean value accepts every spelling of it, a number 1.0 for 1. */
function compileEqual(value: string | number | boolean, caseSensitive: boolean | undefined): (text: string | undefined) => boolean {
  if (typeof value === 'boolean') return (text) => text !== undefined && readBoolean(text) === value;
  if (typeof value === 'number') return (text) => text !== undefined && text !== '' && Number(text) === value;
  const wanted = fold(value.trim(), caseSensitive);
  return (text) => text !== undefined && fold(text, caseSensitive) === wanted;
}

function fold(text: string, caseSensitive: boolean | undefined): string {
  return caseSensitive ? text : text.toLowerCase();
}
