/** First and last HTTP status of a code (404) or of a class of them (4xx), as contract/log.ts lets them through. */
export function statusRange(http: string): [number, number] {
  const first = Number(http.replace('xx', '00'));
  return [first, http.endsWith('xx') ? first + 99 : first];
}
