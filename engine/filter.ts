/**
 * A filter tree compiled to a test over normalised fields that can say which condition decided.
 *
 * Numbers compare as numbers where the field is a number, dates as dates, all else as text without case. On a value that is
 * absent every condition is false, except notEqual, notIn and absent, which are true.
 */
import type { Explanation } from './decision.ts';
import { type CompiledLeaf, compileLeaf, explainLeaf } from './filter-leaf.ts';
import { openPatternBudget, type PatternBudget } from './pattern.ts';
import type { FieldConfig, Filter, FilterLeaf } from './plan.ts';

export type Fields = Readonly<Record<string, string>>;

export interface CompiledFilter {
  matches(fields: Fields): boolean;
  /** Why `fields` do not match: the first condition that decided. Only for fields that do not match. */
  explain(fields: Fields): Explanation;
}

export type FilterFields = { country: 'us' | 'uk'; fields: ReadonlyMap<string, FieldConfig> };

export const FILTER_DEPTH_LIMIT = 12;
export const FILTER_LEAF_LIMIT = 500;
/** A lead may meet all of them. */
const FILTER_PATTERNS = { patterns: 20, size: 1_000 };

type Test = (fields: Fields) => boolean;
type Node =
  | { kind: 'all' | 'any'; parts: Node[]; test: Test }
  | { kind: 'not'; part: Node; test: Test }
  | { kind: 'leaf'; leaf: CompiledLeaf; test: Test };

interface Draft {
  known: FilterFields;
  problems: string[];
  leaves: number;
  patterns: PatternBudget;
}

/** Problems are plain sentences; with any of them there is no filter to use. */
export function compileFilter(filter: Filter, known: FilterFields): { filter?: CompiledFilter; problems: string[] } {
  const draft: Draft = { known, problems: [], leaves: 0, patterns: openPatternBudget('a filter', FILTER_PATTERNS) };
  const root = compileNode(filter, draft, 1);
  if (draft.leaves > FILTER_LEAF_LIMIT) draft.problems.push(`a filter has at most ${FILTER_LEAF_LIMIT} conditions`);
  if (!root || draft.problems.length > 0) return { problems: draft.problems };
  return { filter: { matches: root.test, explain: (fields) => explainNode(root, fields, true, 0) }, problems: [] };
}

function compileNode(filter: unknown, draft: Draft, depth: number): Node | undefined {
  if (depth > FILTER_DEPTH_LIMIT) return refuse(draft, `a filter nests at most ${FILTER_DEPTH_LIMIT} levels`);
  if (typeof filter !== 'object' || filter === null) return refuse(draft, 'a filter condition must be an object');
  if ('all' in filter) return compileParts('all', filter.all, draft, depth);
  if ('any' in filter) return compileParts('any', filter.any, draft, depth);
  if ('not' in filter) {
    const part = compileNode(filter.not, draft, depth + 1);
    return part && { kind: 'not', part, test: (fields) => !part.test(fields) };
  }
  draft.leaves += 1;
  const leaf = compileLeaf(filter as FilterLeaf, draft.known, draft.patterns);
  return typeof leaf === 'string' ? refuse(draft, leaf) : { kind: 'leaf', leaf, test: leaf.holds };
}

/** Nothing in `all` is true, nothing in `any` is false. */
function compileParts(kind: 'all' | 'any', parts: unknown, draft: Draft, depth: number): Node | undefined {
  if (!Array.isArray(parts)) return refuse(draft, `"${kind}" needs a list of conditions`);
  const compiled = parts.map((part) => (draft.leaves > FILTER_LEAF_LIMIT ? undefined : compileNode(part, draft, depth + 1)));
  const sound = compiled.filter((part) => part !== undefined);
  const test: Test =
    kind === 'all' ? (fields) => sound.every((part) => part.test(fields)) : (fields) => sound.some((part) => part.test(fields));
  return { kind, parts: sound, test };
}

function refuse(draft: Draft, problem: string): undefined {
  draft.problems.push(problem);
}

/** Walks to the first condition that made the node other than `wanted`; `others` counts the alternatives that failed beside it. */
function explainNode(node: Node, fields: Fields, wanted: boolean, others: number): Explanation {
  if (node.kind === 'leaf') return explainLeaf(node.leaf, fields, others);
  if (node.kind === 'not') return explainNode(node.part, fields, !wanted, others);
  const decisive = (node.kind === 'all') === wanted ? node.parts.find((part) => part.test(fields) !== wanted) : node.parts[0];
  if (!decisive) return { code: 'filter-empty', params: {} };
  const beside = node.kind === 'any' && wanted ? node.parts.length - 1 : 0;
  return explainNode(decisive, fields, wanted, others + beside);
}
