/** What is different between two values, place by place, so that of a long document only what changed is read. */

export interface Difference {
  /** 'timeLimitMs', 'endpoint.post.url', 'caps.0.limit'. */
  place: string;
  before: unknown;
  after: unknown;
}

const isBranch = (value: unknown): value is object => typeof value === 'object' && value !== null && Object.keys(value).length > 0;

/** Values that are lists or objects on both sides are looked into; a part that stands on one side only is told whole. */
export function differences(before: unknown, after: unknown, place: string): Difference[] {
  if (!isBranch(before) || !isBranch(after) || Array.isArray(before) !== Array.isArray(after))
    return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ place, before, after }];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => differences(before[name as never], after[name as never], `${place}.${name}`));
}

/** 'timeLimitMs' as people read it: 'Time limit ms'; what stands below it stays as the document has it. */
export function placeName(place: string): string {
  const [first = '', ...rest] = place.split('.');
  const words = first.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return [words.charAt(0).toUpperCase() + words.slice(1), ...rest].join(' › ');
}

export function sayValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'nothing';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
