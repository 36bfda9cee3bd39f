/** Text that PostgreSQL can keep: without NUL and without half a surrogate pair. */

/** Names and values of a body; without recursion, because it may be nested deeper than the stack. */
export function isStorable(body: unknown): boolean {
  const left = [body];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed())) return false;
    if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) left.push(...(Array.isArray(value) ? [inner] : [name, inner]));
  }
  return true;
}
