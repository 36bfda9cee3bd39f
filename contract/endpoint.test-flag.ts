/** Where a request tells its buyer that the lead is a test: by the system value `test`, which an endpoint may or may not send. */
import type { EndpointConfig, LegConfig, MappingRow } from './endpoint.ts';

export interface TestFlags {
  /** Names of fields, headers and other places that hold it; empty where the request is that of a real lead. Null: the tier is not pinged. */
  ping: string[] | null;
  post: string[];
}

/** Of the calls that carry a lead; what a buyer that lost is told, and calls for tokens, are none. */
export function testFlagsOf({ ping, post }: Pick<EndpointConfig, 'ping' | 'post'>, isPinged: boolean): TestFlags {
  return { ping: isPinged && ping ? placesIn(ping) : null, post: placesIn(post) };
}

const PLACEHOLDER = /\{\{\s*system\.test\s*[|}]/;

function placesIn({ url, headers = {}, body }: LegConfig): string[] {
  const rows = [...('mapping' in body ? body.mapping : []), ...('wrap' in body ? (body.wrap?.beside ?? []) : [])];
  const { mapping: _, wrap: __, ...templates } = { mapping: undefined, wrap: undefined, ...body };
  return [
    ...rows.filter(isFlag).map(({ to }) => to),
    ...Object.entries(headers).flatMap(([name, text]) => (PLACEHOLDER.test(text) ? [name] : [])),
    ...(PLACEHOLDER.test(url) ? ['the address'] : []),
    ...(Object.values(templates).some((text) => typeof text === 'string' && PLACEHOLDER.test(text)) ? ['its text'] : []),
  ];
}

const isFlag = ({ from }: MappingRow): boolean =>
  (from.kind === 'system' && from.name === 'test') || (from.kind === 'template' && PLACEHOLDER.test(from.text));
