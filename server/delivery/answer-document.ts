/** One way of asking an answer for values, whatever it was written in. */
import type { PathStep } from '#contract/endpoint.path.ts';
import type { JsonValue } from './read-json.ts';
import type { XmlElement } from './read-xml.ts';

/** A path in both forms: as written (form names are looked up whole) and as steps. */
export interface AnswerPath {
  text: string;
  steps: readonly PathStep[];
}

/** null is a JSON null or xsi:nil. */
export type Found = string | null;

/** An answer that has been read; `find` gives every match in document order, a group standing for all values in it. */
export interface AnswerDocument {
  kind: 'json' | 'xml' | 'form' | 'delimited' | 'text';
  find(path: AnswerPath): Found[];
  /** The matches of `list`, each as a document of its own. */
  each(list: AnswerPath): AnswerDocument[];
}

/** A group is not unfolded beyond this many values. */
const MAX_VALUES = 1000;

export function jsonDocument(root: JsonValue): AnswerDocument {
  return {
    kind: 'json',
    find: (path) => walkJson(root, path.steps).flatMap(leavesOfJson).slice(0, MAX_VALUES),
    each: (list) =>
      walkJson(root, list.steps)
        .flatMap((value) => (Array.isArray(value) ? value : [value]))
        .map(jsonDocument),
  };
}

function walkJson(root: JsonValue, steps: readonly PathStep[]): JsonValue[] {
  let found: JsonValue[] = [root];
  for (const step of steps) found = found.flatMap((value) => stepIntoJson(value, step));
  return found;
}

/** `[0]` is only ever a position in a list and `.0` only ever a name, so {"1984": ...} stays an object. */
function stepIntoJson(value: JsonValue, step: PathStep): JsonValue[] {
  if (value === null || typeof value !== 'object') return [];
  const isList = Array.isArray(value);
  switch (step.kind) {
    case 'index':
      return isList && step.index < value.length ? [value[step.index]!] : [];
    case 'anyItem':
      return isList ? value : [];
    case 'anyKey':
      return Object.values(value);
    case 'key':
      return ownValue(value, step.key);
    case 'attribute':
      return ownValue(value, `@${step.name}`);
  }
}

function ownValue(value: JsonValue[] | { [key: string]: JsonValue }, key: string): JsonValue[] {
  if (Array.isArray(value)) return /^\d{1,4}$/.test(key) && Number(key) < value.length ? [value[Number(key)]!] : [];
  return Object.hasOwn(value, key) ? [value[key]!] : [];
}

function leavesOfJson(value: JsonValue): Found[] {
  const leaves: Found[] = [];
  const waiting: JsonValue[] = [value];
  while (waiting.length > 0 && leaves.length < MAX_VALUES) {
    const next = waiting.pop()!;
    if (next === null || typeof next === 'string') leaves.push(next);
    else if (typeof next === 'boolean') leaves.push(String(next));
    else waiting.push(...Object.values(next).slice(0, MAX_VALUES).reverse());
  }
  return leaves;
}

/** Paths may begin with the root element or below it; `below` for an item of a list, whose own name is not part of them. */
export function xmlDocument(root: XmlElement, begin: 'anywhere' | 'below' = 'anywhere'): AnswerDocument {
  const walk = begin === 'below' ? stepsFrom : walkXml;
  return {
    kind: 'xml',
    find: (path) => walk(root, path.steps).flatMap(leavesOfXml).slice(0, MAX_VALUES),
    each: (list) =>
      walk(root, list.steps)
        .filter((found) => typeof found !== 'string')
        .map((item) => xmlDocument(item, 'below')),
  };
}

function walkXml(root: XmlElement, steps: readonly PathStep[]): (XmlElement | string)[] {
  const fromAbove = stepsFrom({ name: '', attributes: {}, children: [root], text: '', isNil: false }, steps);
  return fromAbove.length > 0 ? fromAbove : stepsFrom(root, steps);
}

function stepsFrom(start: XmlElement, steps: readonly PathStep[]): (XmlElement | string)[] {
  let found: (XmlElement | string)[] = [start];
  for (const step of steps)
    found = stepIntoXml(
      found.filter((item) => typeof item !== 'string'),
      step,
    );
  return found;
}

function stepIntoXml(elements: XmlElement[], step: PathStep): (XmlElement | string)[] {
  switch (step.kind) {
    case 'key':
      return elements.flatMap((element) => element.children.filter((child) => child.name === step.key));
    case 'anyKey':
      return elements.flatMap((element) => element.children);
    case 'anyItem':
      return elements;
    case 'index':
      return step.index < elements.length ? [elements[step.index]!] : [];
    case 'attribute':
      return elements.flatMap((element) => (step.name in element.attributes ? [element.attributes[step.name]!] : []));
  }
}

function leavesOfXml(found: XmlElement | string): Found[] {
  if (typeof found === 'string') return [found];
  const leaves: Found[] = [];
  const waiting: XmlElement[] = [found];
  while (waiting.length > 0 && leaves.length < MAX_VALUES) {
    const next = waiting.pop()!;
    if (next.isNil) leaves.push(null);
    else if (next.children.length === 0) leaves.push(next.text);
    else waiting.push(...next.children.slice(0, MAX_VALUES).reverse());
  }
  return leaves;
}

/** Names are looked up whole, brackets and all; [5] is the sixth pair. */
export function formDocument(text: string): AnswerDocument {
  const pairs = [...new URLSearchParams(text.trim())];
  const find = ({ text: name, steps }: AnswerPath): Found[] => {
    const named = pairs.filter(([key]) => key === name).map(([, value]) => value);
    return named.length > 0
      ? named
      : byPosition(
          pairs.map(([, value]) => value),
          steps,
        );
  };
  return { kind: 'form', find, each: () => [] };
}

export function delimitedDocument(text: string, delimiter: string): AnswerDocument {
  const fields = text
    .trim()
    .split(delimiter)
    .map((field) => field.trim());
  return { kind: 'delimited', find: (path) => byPosition(fields, path.steps), each: () => [] };
}

export function textDocument(): AnswerDocument {
  return { kind: 'text', find: () => [], each: () => [] };
}

function byPosition(values: string[], steps: readonly PathStep[]): Found[] {
  const step = steps.length === 1 ? steps[0] : undefined;
  if (step?.kind === 'anyItem') return values;
  return step?.kind === 'index' && step.index < values.length ? [values[step.index]!] : [];
}
