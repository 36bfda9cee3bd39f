/**
 * A reader of an address's search for the router, which keeps what the address says of a name that the reader does not answer: here such a
 * name loses its value. What cannot be meant never reaches a page.
 */
export const onlyMeant =
  <Search extends object>(read: (raw: Record<string, unknown>) => Search) =>
  (raw: Record<string, unknown>): Search => ({ ...Object.fromEntries(Object.keys(raw).map((name) => [name, undefined])), ...read(raw) });
