/** What a simulated buyer understands of a request: leaf names and their values, whatever the format. */
import { readXml, type XmlElement } from '#server/delivery/read-xml.ts';
import type { MarketValues } from './market-answer.ts';

/** Undefined when the body cannot be read as what it claims to be. */
export function readRequest(contentType: string, body: string): MarketValues | undefined {
  if (contentType.includes('json')) return readJsonValues(body);
  if (contentType.includes('xml')) return readXmlValues(body);
  return Object.fromEntries(new URLSearchParams(body));
}

function readJsonValues(body: string): MarketValues | undefined {
  try {
    const values: Record<string, string> = {};
    gather(JSON.parse(body), '', values);
    return values;
  } catch {
    return undefined;
  }
}

function gather(value: unknown, name: string, values: Record<string, string>): void {
  if (value === null || value === undefined) return;
  if (typeof value !== 'object') {
    values[name] = String(value);
    return;
  }
  for (const [key, inner] of Object.entries(value)) gather(inner, key, values);
}

function readXmlValues(body: string): MarketValues | undefined {
  const read = readXml(body.trim());
  if (!read.ok) return undefined;
  const values: Record<string, string> = {};
  const waiting: XmlElement[] = [read.root];
  for (let element = waiting.pop(); element; element = waiting.pop()) {
    Object.assign(values, element.attributes);
    if (element.children.length === 0) values[element.name] = element.text;
    waiting.push(...element.children);
  }
  return values;
}
