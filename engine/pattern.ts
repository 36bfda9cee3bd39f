/**
 * Expressions that people write (RE2 syntax): judged before they are compiled, compiled once per text, and run over bounded text only.
 * Whoever tests, finds or refuses an expression does it through here, so that none can hold up a node.
 */
import { RE2JS } from 're2js';

/** Steps of the compiled program: what matching one character costs at worst. */
const SIZE_MOST = 1_000;
/** Counted before compiling, on the safe side. */
const WEIGHT_MOST = 2 * SIZE_MOST + 100;
/** A class such as \p{L} is spelled out when it is read, once for each time it is written. */
const CLASS_WEIGHT = 20;
const TEXT_MOST = 1_000;
/** Compiled expressions kept over configurations; the one used longest ago goes first. */
const KEPT_MOST = 2_000;

/** Steps times letters that one run is worth; the larger the program, the less text it is run over. */
const WORK_MOST = 200_000;

export interface Pattern {
  /** Steps of its program. */
  readonly size: number;
  readonly groups: number;
  /** It looks at this much of a text; 1,000 at least. */
  readonly letters: number;
  /** Whether a part of the value matches; a value longer than `letters` does not. */
  test(value: string): boolean;
  /** Whether the whole value matches; one longer than `letters` does not. */
  fits(value: string): boolean;
  /** The group of the first match in the first `letters`, null where it took no part; undefined without a match. */
  find(text: string, group: number): string | null | undefined;
}

const kept = new Map<string, Pattern | string>();

/** A text instead of a pattern says what is wrong with it: without full stop, to follow a colon. */
export function readPattern(text: string): Pattern | string {
  if (text.length > TEXT_MOST) return `the pattern is longer than ${TEXT_MOST} letters; shorten it`;
  const found = kept.get(text) ?? compilePattern(text);
  kept.delete(text);
  kept.set(text, found);
  if (kept.size > KEPT_MOST) kept.delete(kept.keys().next().value!);
  return found;
}

export interface PatternBudget {
  /** Reads one more of the set; a text says why it may not stand there. */
  take(text: string): Pattern | string;
}

/** Of patterns that one lead or one answer meets together. `of`: what they stand in, such as 'a filter'. */
export function openPatternBudget(of: string, most: { patterns: number; size: number }): PatternBudget {
  let [patterns, size] = [0, 0];
  return {
    take(text) {
      patterns += 1;
      if (patterns > most.patterns) return `${of} has at most ${most.patterns} patterns; join some with | or use other conditions`;
      const pattern = readPattern(text);
      if (typeof pattern === 'string') return pattern;
      size += pattern.size;
      return size <= most.size
        ? pattern
        : `the patterns of ${of} are too large together (${size} steps, at most ${most.size}); shorten them`;
    },
  };
}

function compilePattern(text: string): Pattern | string {
  if (weigh(text) > WEIGHT_MOST) return tooLarge(text);
  try {
    const compiled = RE2JS.compile(text);
    return compiled.programSize() <= SIZE_MOST ? patternOf(compiled) : tooLarge(text);
  } catch (error) {
    return `the pattern ${text.slice(0, 100)} is not a valid (RE2) expression: ${error instanceof Error ? error.message : 'it cannot be read'}`;
  }
}

function tooLarge(text: string): string {
  return `the pattern ${text.slice(0, 100)} is too large: repeats such as {2,20} count as often as they may repeat, at most ${SIZE_MOST} steps in all; shorten them`;
}

function patternOf(compiled: RE2JS): Pattern {
  const size = compiled.programSize();
  const letters = Math.min(Math.max(Math.floor(WORK_MOST / size), 1_000), 32_000);
  return {
    size,
    groups: compiled.groupCount(),
    letters,
    test: (value) => value.length <= letters && compiled.test(value),
    fits: (value) => value.length <= letters && compiled.testExact(value),
    find(text, group) {
      const matcher = compiled.matcher(text.slice(0, letters));
      return matcher.find() ? (matcher.group(group) ?? null) : undefined;
    },
  };
}

/** One thing of an expression, from where it begins; what cannot be read here is for the compiler to refuse. */
const TOKEN =
  /(?<repeat>\{(?<least>\d+)(?<open>,(?<most>\d*))?\})|(?<begin>\((?:\?(?:P?<\w*>|[a-zA-Z-]*:?))?)|(?<end>\))|(?<set>\[\^?\]?(?:\[:\^?\w+:\]|\\[\s\S]|[^\]\\])*\]?)|(?<quoted>\\Q[\s\S]*?(?:\\E|$))|\\[pP](?:\{[^}]*\}?|.)|\\x\{[^}]*\}?|\\[\s\S]|[\s\S]/gu;

/** How many steps it comes to at most, every counted repeat written out, without compiling it. */
function weigh(text: string): number {
  /** Per open group: all of it, and its last thing, which a repeat counts again. */
  const open = [{ all: 0, last: 0 }];
  let classes = 0;
  const add = (weight: number) => {
    open.at(-1)!.all += weight;
    open.at(-1)!.last = weight;
  };
  for (const { 0: token, groups = {} } of text.matchAll(TOKEN)) {
    const { repeat, begin, end, quoted, set } = groups;
    if (begin) open.push({ all: 0, last: 0 });
    else if (end) {
      if (open.length > 1) add(open.pop()!.all + 2);
    } else if (repeat) repeatLast(open.at(-1)!, Math.max(Number(groups.least) + (groups.open ? 1 : 0), Number(groups.most || 0)));
    else add(quoted ? token.length : 1);
    if (set || /^\\[pP]/.test(token)) classes += token.match(/\\[pP]/g)?.length ?? 0;
  }
  return open.reduce((sum, { all }) => sum + all, 0) + classes * CLASS_WEIGHT;
}

/** An optional repetition takes a step more than the thing itself. */
function repeatLast(group: { all: number; last: number }, times: number): void {
  const repeated = group.last * times + times;
  group.all += repeated - group.last;
  group.last = repeated;
}
