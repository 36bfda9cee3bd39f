/** App nodes for tests: the real product on a database of the test's own, open to buyers on loopback. */
import type { AddressInfo } from 'node:net';
import { type Installation, openInstallation } from '#server/installation.ts';
import type { Config } from '#server/kit/config.ts';
import { TEST_CONFIG } from './config.ts';
import { freshDatabase, type TestDatabase } from './database.ts';

export interface TestNode extends Installation {
  url: string;
  /** Posts a body to the node over HTTP and reads the JSON answer. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<PostAnswer>;
}

export interface PostAnswer {
  statusCode: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into by tests
  json: any;
}

export async function startNode(databaseUrl: string, overrides: Partial<Config> = {}): Promise<TestNode> {
  const installation = await openInstallation({ ...TEST_CONFIG, ...overrides }, databaseUrl);
  await installation.app.listen({ port: 0, host: '127.0.0.1' });
  const url = `http://127.0.0.1:${(installation.app.server.address() as AddressInfo).port}`;
  return { ...installation, url, post: (path, body, headers = {}) => send(url + path, body, headers) };
}

async function send(url: string, body: unknown, headers: Record<string, string>): Promise<PostAnswer> {
  const raw = typeof body === 'string' || body instanceof Uint8Array;
  const response = await fetch(url, {
    method: 'POST',
    headers: raw ? headers : { 'content-type': 'application/json', ...headers },
    body: raw ? (body as BodyInit) : JSON.stringify(body),
  });
  const text = await response.text();
  return { statusCode: response.status, headers: response.headers, text, json: parse(text) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** One database and one node on it, both gone after the file. */
export async function startTestWorld(
  overrides: Partial<Config> = {},
): Promise<TestNode & { database: TestDatabase; stop(): Promise<void> }> {
  const database = await freshDatabase();
  const node = await startNode(database.url, overrides);
  const stop = async () => {
    await node.close();
    await database.drop();
  };
  return { ...node, database, stop };
}
