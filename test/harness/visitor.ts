/** Somebody at a browser: keeps cookies per host and calls as our own pages do. */
import type { InjectOptions } from 'fastify';
import type { TestNode } from './node.ts';

export interface VisitAnswer {
  statusCode: number;
  headers: Record<string, unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into by tests
  json: any;
}

export interface Visitor {
  /** Cookies by host and name; tests read and plant them. */
  cookies: Map<string, Map<string, string>>;
  post(path: string, body?: unknown, options?: VisitOptions): Promise<VisitAnswer>;
  get(path: string, options?: VisitOptions): Promise<VisitAnswer>;
}

export interface VisitOptions {
  host?: string;
  headers?: Record<string, string>;
  /** Where the visitor calls from. */
  address?: string;
}

export function visit(node: Pick<TestNode, 'app'>, usual: VisitOptions = {}): Visitor {
  const cookies: Visitor['cookies'] = new Map();
  async function call(method: 'GET' | 'POST', url: string, payload: unknown, options: VisitOptions): Promise<VisitAnswer> {
    const { host = 'localhost', headers = {}, address = '192.0.2.1' } = { ...usual, ...options };
    const own = cookies.get(host) ?? new Map<string, string>();
    cookies.set(host, own);
    const cookie = [...own].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await node.app.inject({
      method,
      url,
      remoteAddress: address,
      headers: { host, 'x-requested-with': 'sluice', ...(cookie && { cookie }), ...headers },
      ...(payload !== undefined && { payload: payload as NonNullable<InjectOptions['payload']> }),
    });
    for (const { name, value, maxAge, expires } of answer.cookies)
      if (maxAge === 0 || (expires && expires.getTime() < Date.now())) own.delete(name);
      else own.set(name, value);
    return { statusCode: answer.statusCode, headers: answer.headers, json: parse(answer.body) };
  }
  return {
    cookies,
    post: (path, body, options = {}) => call('POST', path, body, options),
    get: (path, options = {}) => call('GET', path, undefined, options),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
