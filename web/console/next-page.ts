/** Where to go after signing in: a path of this site, or nothing. `//host` and `/\host` would leave it. */
export function readNext(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\/(?![/\\])/.test(value)) return undefined;
  return /^\/login(?=[/?#]|$)/.test(value) ? undefined : value;
}
