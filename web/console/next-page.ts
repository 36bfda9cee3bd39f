/** Where to go after signing in: a path of this site, or nothing. `//host` and `/\host` would leave it. */
export function readNext(value: unknown): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers leave control characters out, and read on
  if (typeof value !== 'string' || !/^\/(?![/\\])/.test(value) || /[\u0000-\u001f\\]/.test(value)) return undefined;
  return /^\/login(?=[/?#]|$)/.test(value) ? undefined : value;
}
