/** The move of a BIN: of the ranges that hold it the narrowest that has one for this campaign and affiliate, the most specific combination first. */

/** Widths of ranges (bin_range.width) and how far before a BIN such a range can begin. */
const REACHES = [9, 99, 999, 9_999, 99_999, 999_999, 9_999_999, 99_999_999].map((reach, index) => `(${index + 1}, ${reach})`).join(', ');

/** Rows of `r` (bin_range) that hold the BINs `low` to `high`, by a few steps along an index. `organization`, `low`, `high`: SQL. */
export const rangesAround = (organization: string, low: string, high: string): string =>
  `(values ${REACHES}) as around (width, reach) cross join lateral (
    select * from bin_range w where w.organization_id = ${organization} and w.width = around.width
      and w.first_bin between ${low} - around.reach and ${low} and w.last_bin >= ${high} offset 0
  ) as r`;

/** `m` (bin_move) of a range `r` that is for the campaign and the affiliate. */
export const movesFor = (organization: string, campaign: string, publisher: string): string =>
  `join bin_move m on m.organization_id = ${organization} and m.bin_range_id = r.id
    and (m.campaign_id is null or m.campaign_id = ${campaign}) and (m.publisher_id is null or m.publisher_id = ${publisher})`;

export const NARROWEST_FIRST = 'order by r.last_bin - r.first_bin, r.first_bin desc';
