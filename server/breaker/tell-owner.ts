/** The owner hears by mail that a breaker opened. Names come from people: composeMail makes them text, and the subject one line. */
import type { OpenBreaker } from '#engine/breaker.ts';
import type { Addresses } from '#server/kit/addresses.ts';
import type { Db } from '#server/kit/database.ts';
import { composeMail } from '#server/mail/compose-mail.ts';
import type { MailContent, Mailer } from '#server/mail/mail.ts';
import { noticeOwner } from '#server/team/notice-owner.ts';
import { sayBreaker } from './say-breaker.ts';

interface OpenedTier {
  buyer: string;
  tier: string;
  url: string;
}

export async function tellOwner(
  tx: Db,
  { mailer, addresses }: { mailer: Mailer; addresses: Addresses },
  organizationId: string,
  buyerTierId: string,
  open: OpenBreaker,
): Promise<void> {
  const row = await tx
    .selectFrom('buyer_tier as t')
    .innerJoin('buyer as b', (join) => join.onRef('b.organization_id', '=', 't.organization_id').onRef('b.id', '=', 't.buyer_id'))
    .innerJoin('vertical as v', (join) => join.onRef('v.organization_id', '=', 't.organization_id').onRef('v.id', '=', 't.vertical_id'))
    .innerJoin('region as r', (join) => join.onRef('r.organization_id', '=', 'v.organization_id').onRef('r.id', '=', 'v.region_id'))
    .innerJoin('organization as o', 'o.id', 't.organization_id')
    .select(['b.name as buyer', 't.name as tier', 'v.slug as vertical', 'r.slug as region', 'o.sub_domain'])
    .where('t.organization_id', '=', organizationId)
    .where('t.id', '=', buyerTierId)
    .executeTakeFirst();
  if (!row) return;
  const url = `${addresses.origin(row.sub_domain)}/setup/${row.region}/${row.vertical}/tier/edit/${buyerTierId}?of=buyer`;
  await noticeOwner(tx, mailer, organizationId, breakerMail({ buyer: row.buyer, tier: row.tier, url }, open), 'breakerNotices');
}

function breakerMail({ buyer, tier, url }: OpenedTier, open: OpenBreaker): MailContent {
  return composeMail({
    subject: `${buyer}, ${tier} keeps failing and is paused`,
    paragraphs: [
      `${buyer}, ${tier}: ${sayBreaker(open, open.openedAt)}`,
      'Leads go to your other buyers meanwhile. After the pause one lead at a time tries this one: when it answers, it gets leads again; when it fails, the pause begins anew.',
    ],
    button: { label: 'See the tier', url },
    after: [
      'No other mail comes while it stays like this. Changing the tier, or "Try again now" on its page, closes the breaker at once.',
      'Your organization’s preferences say whether you get these mails.',
    ],
  });
}
