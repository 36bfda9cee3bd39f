/** An organization at work, and somebody of it at the console: posts leads, and asks and changes as its pages do. */
import type { ScriptedBuyer } from './buyer.ts';
import type { PostAnswer, TestNode } from './node.ts';
import { buildUser, buildWorld, LEAD, type World, type WorldSpec } from './world.ts';

export interface Office {
  world: World;
  /** Posts a lead of a consumer of its own. */
  lead(email: string, more?: Record<string, unknown>): Promise<PostAnswer>;
  post(path: string, body: unknown): Promise<PostAnswer>;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into by tests
  get(path: string): Promise<{ statusCode: number; json: any }>;
  /** As a hidden form does; answers the file. */
  form(path: string, body: URLSearchParams): Promise<string>;
  /** The same, with the name of the file. */
  formAnswer(path: string, body: URLSearchParams): Promise<Response>;
  change(model: string, _id: string, data: Record<string, unknown>): Promise<PostAnswer>;
}

const OWN_PAGE = { 'x-requested-with': 'sluice' };

export async function openOffice(
  node: TestNode,
  buyer: ScriptedBuyer | undefined,
  spec: WorldSpec = {},
  as: Parameters<typeof buildUser>[2] = {},
): Promise<Office> {
  const groups = spec.groups ?? [{ mode: 'priority' as const, tiers: [{ url: buyer?.url ?? 'http://127.0.0.1:9', buyer: 'Ann' }] }];
  const world = await buildWorld(node.db, { ...spec, groups });
  await node.planBook.reload(world.organizationId);
  return signIn(node, world, as);
}

/** Somebody else of the same organization. */
export async function signIn(node: TestNode, world: World, as: Parameters<typeof buildUser>[2] = {}): Promise<Office> {
  const { email, password } = await buildUser(node.db, world.organizationId, as);
  const session = await node.post('/team-login', { email, password }, OWN_PAGE);
  const headers = { ...OWN_PAGE, cookie: session.headers.get('set-cookie')!.split(';')[0]! };
  const post = (path: string, body: unknown) => node.post(path, body, headers);
  const formAnswer = (path: string, body: URLSearchParams) => fetch(node.url + path, { method: 'POST', body, headers });
  return {
    world,
    lead: (consumer, more = {}) =>
      node.post('/api/v1/leads', { ...LEAD, email: consumer, ...more }, { authorization: `Bearer ${world.key}` }),
    post,
    async get(path) {
      const answer = await fetch(node.url + path, { headers });
      const text = await answer.text();
      return { statusCode: answer.status, json: text.startsWith('{') ? JSON.parse(text) : text };
    },
    form: async (path, body) => (await formAnswer(path, body)).text(),
    formAnswer,
    change: (model, _id, data) => post('/api/v1/common/post-edit-data', { model, _id, ...data }),
  };
}
