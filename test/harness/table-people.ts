/** The columns of test/api/permission-table.txt as people, in an organization as the table describes it. */
import type { RegionPermission } from '#contract/session.ts';
import { newId } from '#server/kit/ids.ts';
import type { TestNode } from './node.ts';
import { buildUser, buildWorld, type World } from './world.ts';

export const TABLE_NAMES = ['nobody', 'nothing', 'overview', 'logs', 'setup', 'kept-out', 'half', 'owner', 'super', 'portal'] as const;
export type TableName = (typeof TABLE_NAMES)[number];

export interface TableWorld {
  world: World;
  /** The vertical auto, of which nobody but owner and super sees anything. */
  autoId: string;
  /** `sluice=…` by person; empty for nobody. */
  cookies: Record<TableName, string>;
}

export async function buildTableWorld(node: TestNode): Promise<TableWorld> {
  const world = await buildWorld(node.db);
  const { organizationId: organization_id, regionId: region_id } = world;
  const autoId = newId();
  await node.db
    .insertInto('vertical')
    .values({ organization_id, id: autoId, region_id, slug: 'auto', uid: 'auto-us', name: 'Auto', primary_field: 'email' })
    .execute();
  await node.db.insertInto('region').values({ organization_id, id: newId(), slug: 'uk', name: 'United Kingdom', country: 'uk' }).execute();
  await node.planBook.reload(organization_id);
  const ticked = (pages: string[], verticalChecked = true): RegionPermission[] => [
    {
      regionId: region_id,
      regionChecked: true,
      verticals: [{ verticalId: world.verticalId, verticalChecked, pages: pages.map((value) => ({ value, pageChecked: true })) }],
    },
  ];
  const people: Record<Exclude<TableName, 'nobody'>, Parameters<typeof buildUser>[2]> = {
    nothing: { role: 'member' },
    overview: { role: 'member', permissions: ticked(['overview']) },
    logs: { role: 'member', permissions: ticked(['serverLogs']) },
    setup: { role: 'member', permissions: ticked(['setup']) },
    'kept-out': { role: 'member', permissions: ticked(['overview', 'serverLogs']) },
    // Pages are ticked, the vertical is not.
    half: { role: 'member', permissions: ticked(['overview', 'setup'], false) },
    owner: { role: 'owner' },
    super: { role: 'member', superAdmin: true },
    // Bound to the publisher of the world, whatever was ticked before.
    portal: { role: 'member', permissions: ticked(['overview', 'setup', 'leadFlow-Inbound']) },
  };
  const cookies = { nobody: '' } as Record<TableName, string>;
  for (const [name, more] of Object.entries(people) as [Exclude<TableName, 'nobody'>, Parameters<typeof buildUser>[2]][]) {
    const { userId, email, password } = await buildUser(node.db, organization_id, more);
    if (name === 'portal')
      await node.db.updateTable('team_member').set({ publisher_id: world.publisherId }).where('user_id', '=', userId).execute();
    if (name === 'kept-out')
      await node.db
        .updateTable('organization')
        .set({ restricted_user_ids: [userId] })
        .where('id', '=', organization_id)
        .execute();
    const answer = await node.post('/team-login', { email, password }, { 'x-requested-with': 'sluice' });
    cookies[name] = answer.headers.get('set-cookie')!.split(';')[0]!;
  }
  return { world, autoId, cookies };
}
