import { isStorable } from '#contract/storable.ts';

/** Whether PostgreSQL can keep the names and values of a body; without recursion, because it may be nested deeper than the stack. */
export function holdsStorable(body: unknown): boolean {
  const left = [body];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'string' && !isStorable(value)) return false;
    if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) left.push(...(Array.isArray(value) ? [inner] : [name, inner]));
  }
  return true;
}
