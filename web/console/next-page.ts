/** Where to go after signing in: a path of this site, or nothing. `//host` and `/\host` would leave it. */
export function readNext(value: unknown): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers leave control characters out, and read on
  if (typeof value !== 'string' || !/^\/(?![/\\])/.test(value) || /[\u0000-\u001f\\]/.test(value)) return undefined;
  return /^\/login(?=[/?#]|$)/.test(value) ? undefined : value;
}

/** The page that was asked for goes along to the organization's sub-domain. */
export function withNext(redirectUrl: string, next: string | undefined): string {
  const url = new URL(redirectUrl);
  if (next) url.searchParams.set('next', next);
  return url.href;
}
