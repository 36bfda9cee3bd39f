/** Binding a member to one buyer or one publisher: from then on they see its portal, and nothing else of the organization. */
import type { Transaction } from 'kysely';
import type { BoundTo } from '#contract/session.ts';
import type { Database } from '#db/types.ts';
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { isId } from '#server/kit/ids.ts';
import type { MemberRow } from './team.sql.ts';

/** The columns of team_member that hold it. */
export const bindingColumns = (bound: BoundTo | null) => ({
  buyer_id: bound?.kind === 'buyer' ? bound.companyId : null,
  publisher_id: bound?.kind === 'publisher' ? bound.companyId : null,
});

/** The company is the organization's own and not archived, and stays so until the transaction ends. Throws an HttpError for any other. */
export async function requireCompany(tx: Db, organizationId: string, bound: BoundTo | null): Promise<BoundTo | null> {
  if (bound === null) return null;
  const { kind, companyId } = bound;
  const row = isId(companyId)
    ? await tx
        .selectFrom(kind)
        .select(['name', 'status'])
        .where('organization_id', '=', organizationId)
        .where('id', '=', companyId)
        .forShare()
        .executeTakeFirst()
    : undefined;
  if (!row) throw new HttpError(404, `${kind}_unknown`, `There is no such ${kind} in your organization.`);
  if (row.status === 'archived')
    throw new HttpError(409, 'company_archived', `${row.name} is archived. Restore it first, then bind somebody to it.`);
  return bound;
}

/** What is ticked means nothing for a member of a portal. */
export function requireUnbound({ bound }: MemberRow): void {
  if (!bound) return;
  const whose = `this member is bound to one ${bound.kind}`;
  throw new HttpError(409, 'member_bound', `This cannot be done while ${whose}. Take the binding off first.`);
}

/** Names of the companies that members are bound to, by id. */
export async function nameCompanies(
  tx: Transaction<Database> | Db,
  organizationId: string,
  bounds: readonly (BoundTo | null)[],
): Promise<Map<string, { name: string; isArchived: boolean }>> {
  const found = new Map<string, { name: string; isArchived: boolean }>();
  for (const kind of ['buyer', 'publisher'] as const) {
    const ids = bounds.flatMap((bound) => (bound?.kind === kind ? [bound.companyId] : []));
    if (ids.length === 0) continue;
    const rows = await tx
      .selectFrom(kind)
      .select(['id', 'name', 'status'])
      .where('organization_id', '=', organizationId)
      .where('id', 'in', ids)
      .execute();
    for (const { id, name, status } of rows) found.set(id, { name, isArchived: status === 'archived' });
  }
  return found;
}
