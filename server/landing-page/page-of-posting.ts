import { isId } from '#server/kit/ids.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';

/** The member of a posted lead that names its landing page. */
export const PAGE_MEMBER = 'landingPageId';

/**
 * The landing page that a posted lead names, and its other fields. No lead is refused for its page: what names no active page of the tier stays
 * a field, is kept with the lead, and is warned of like any field that the vertical does not know.
 */
export function pageOfPosting(
  { landingPages }: Pick<OrganizationPlan, 'landingPages'>,
  publisherTierId: string,
  fields: Record<string, unknown>,
): { fields: Record<string, unknown>; pageId?: string } {
  if (!(PAGE_MEMBER in fields)) return { fields };
  const { [PAGE_MEMBER]: named, ...others } = fields;
  const id = typeof named === 'string' ? named.trim().toLowerCase() : '';
  return isId(id) && landingPages.get(id)?.publisherTierId === publisherTierId ? { fields: others, pageId: id } : { fields };
}
