/** Places in an answer, prepared once: a path, an expression over the whole body, a header, the status or the body itself. */
import { getPath } from '#contract/endpoint.path.ts';
import type { Locator } from '#contract/endpoint.ts';
import { type Pattern, readPattern } from '#engine/pattern.ts';
import type { AnswerPath, Found } from './answer-document.ts';
import { headerOf, type OpenedAnswer } from './open-answer.ts';

/** All values found there, in order; empty when the place does not exist. */
export type Locate = (answer: OpenedAnswer) => Found[];

export function compileLocator(place: Locator): Locate {
  if ('path' in place) {
    const path = compilePath(place.path);
    return (answer) => answer.document.find(path);
  }
  if ('header' in place) return compileHeader(place.header.toLowerCase(), place.pattern, place.group);
  if ('pattern' in place) return compileBody(place.pattern, place.group);
  return place.part === 'status' ? (answer) => [String(answer.response.status)] : (answer) => [answer.text.trim()];
}

export function compilePath(text: string): AnswerPath {
  return { text, steps: getPath(text) };
}

/** Works on bodies that could not be read as anything, too. */
function compileBody(pattern: string, group: number | undefined): Locate {
  const find = compileFind(pattern, group);
  return (answer) => find(answer.text);
}

function compileHeader(name: string, pattern: string | undefined, group: number | undefined): Locate {
  const find = pattern === undefined ? undefined : compileFind(pattern, group);
  return (answer) => {
    const value = headerOf(answer.response, name);
    if (value === undefined) return [];
    return find ? find(value) : [value];
  };
}

/** Group 1 where there is one, else the whole match. */
function compileFind(text: string, group: number | undefined): (text: string) => Found[] {
  const pattern = requirePattern(text);
  const wanted = group ?? Math.min(pattern.groups, 1);
  return (answer) => {
    const found = pattern.find(answer, wanted);
    return found === undefined ? [] : [found];
  };
}

/** Throws on an expression that was never checked (contract/endpoint.check.ts). */
export function requirePattern(text: string): Pattern {
  const pattern = readPattern(text);
  if (typeof pattern === 'string') throw new Error(pattern);
  return pattern;
}

/** The first place that holds a value which is neither null nor blank. */
export function firstText(places: readonly Locate[], answer: OpenedAnswer): string | undefined {
  for (const locate of places) {
    const text = locate(answer).find((found) => found !== null && found.trim() !== '');
    if (text) return text.trim();
  }
  return undefined;
}
