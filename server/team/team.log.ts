/** Who came, went, or may do something else: lines of the change log, in the transaction of the change. */
import type { Transaction } from 'kysely';
import { pageCatalogue } from '#contract/page.ts';
import type { RegionPermission } from '#contract/session.ts';
import type { Database } from '#db/types.ts';
import { insertChange } from '#server/change-log/change-log.sql.ts';
import { networkOf } from '#server/kit/caller.ts';
import { readBound, type SignedIn } from '#server/session/session.sql.ts';
import { nameCompanies } from './bind-member.ts';
import { listPlaces, type MemberRow } from './team.sql.ts';

/** The model of these lines; they are taken back where the team is run, not in the log. */
export const MEMBER_MODEL = 'teamMember';

type Told = Pick<MemberRow, 'role' | 'status' | 'permissions' | 'bound'>;

/** `before`: the member as it was; null for one who is new. */
export async function logMember(
  tx: Transaction<Database>,
  person: SignedIn,
  ip: string,
  memberId: string,
  before: MemberRow | null,
): Promise<void> {
  const places = await listPlaces(tx, person.organizationId);
  const { name, ...now } = await findMember(tx, person.organizationId, memberId);
  const companies = await nameCompanies(tx, person.organizationId, [before?.bound ?? null, now.bound]);
  const told = ({ role, status, permissions, bound }: Told) => ({
    role,
    status,
    permissions: sayPermissions(permissions, places),
    boundTo: bound && `${bound.kind === 'buyer' ? 'Buyer' : 'Publisher'} ${companies.get(bound.companyId)?.name ?? ''}`,
  });
  const [was, is]: Record<string, unknown>[] = [before ? told(before) : { boundTo: null }, told(now)];
  const changed = Object.keys(is!).filter((name) => JSON.stringify(was![name]) !== JSON.stringify(is![name]));
  const part = (all: Record<string, unknown>) => Object.fromEntries(changed.flatMap((name) => (name in all ? [[name, all[name]]] : [])));
  await insertChange(tx, person, {
    address: networkOf(ip),
    model: MEMBER_MODEL,
    recordId: memberId,
    recordName: name,
    action: before ? 'edit' : 'add',
    before: part(was!),
    after: part(is!),
    rollsBack: null,
  });
}

/** One who was removed as well. Of somebody who has not answered, the second wall shows no account: only what was typed. */
async function findMember(tx: Transaction<Database>, organizationId: string, memberId: string): Promise<Told & { name: string }> {
  const row = await tx
    .selectFrom('team_member as m')
    .leftJoin('app_user as u', 'u.id', 'm.user_id')
    .select([
      'm.role',
      'm.status',
      'm.permissions',
      'u.first_name',
      'u.last_name',
      'u.email',
      'm.invited_first_name',
      'm.invited_last_name',
      'm.invited_email',
      'm.buyer_id',
      'm.publisher_id',
    ])
    .where('m.organization_id', '=', organizationId)
    .where('m.id', '=', memberId)
    .executeTakeFirstOrThrow();
  const name = `${row.first_name || row.invited_first_name || ''} ${row.last_name || row.invited_last_name || ''}`.trim();
  const { role, status, permissions } = row;
  return { role, status, permissions, bound: readBound(row), name: name || row.email || row.invited_email || '' } as Awaited<
    ReturnType<typeof findMember>
  >;
}

/** One text a vertical: 'United States, Payday: Overview, Setup'. */
function sayPermissions(tree: RegionPermission[], { regions, verticals }: Awaited<ReturnType<typeof listPlaces>>): string[] {
  const label = new Map(pageCatalogue.map((page) => [page.value as string, page.label]));
  return tree.flatMap((region) =>
    region.verticals.flatMap(({ verticalId, verticalChecked, pages }) => {
      const ticked = pages.filter((page) => page.pageChecked).map((page) => label.get(page.value) ?? page.value);
      if (!verticalChecked || ticked.length === 0) return [];
      const names = [regions.find((one) => one._id === region.regionId)?.name, verticals.find((one) => one._id === verticalId)?.name];
      return [`${names.map((name) => name ?? 'gone').join(', ')}: ${ticked.join(', ')}`];
    }),
  );
}
