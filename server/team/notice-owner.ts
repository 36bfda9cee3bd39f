import { readPreferences } from '#contract/organization.ts';
import type { Db } from '#server/kit/database.ts';
import type { MailContent, Mailer } from '#server/mail/mail.ts';

/** Preference -> the kind of mail that it lets through. */
const NOTICES = { securityNotices: 'security-notice', breakerNotices: 'breaker-notice' } as const;

/** Tells the owner by mail, unless the organization's preferences say not to. For the installation's own role. */
export async function noticeOwner(
  db: Db,
  mailer: Mailer,
  organizationId: string,
  content: MailContent,
  notice: keyof typeof NOTICES = 'securityNotices',
): Promise<void> {
  const owners = await db
    .selectFrom('team_member as m')
    .innerJoin('app_user as u', 'u.id', 'm.user_id')
    .innerJoin('organization as o', 'o.id', 'm.organization_id')
    .select(['u.email', 'o.preferences'])
    .where('m.organization_id', '=', organizationId)
    .where('m.role', '=', 'owner')
    .where('m.status', '=', 'active')
    .execute();
  for (const { email, preferences } of owners)
    if (readPreferences(preferences)[notice]) await mailer.file(db, NOTICES[notice], email, content);
}
