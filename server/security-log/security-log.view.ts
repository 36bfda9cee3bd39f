/** What leaves the server of a line of the security log. */
import { type SecurityLineView, securityFactors, securityKind, securityOutcome } from '#contract/security-log.ts';
import { MISSING_LABELS } from '#contract/security-words.ts';
import { idInstant } from '#server/kit/ids.ts';
import type { SecurityLine } from './security-log.sql.ts';

export function viewSecurityLine(row: SecurityLine): SecurityLineView {
  return {
    _id: row.id,
    at: new Date(idInstant(row.id)).toISOString(),
    userId: row.user_id,
    userName: row.user_name,
    byName: row.by_name,
    kind: securityKind.parse(row.kind),
    // A later version may have written what this one has no word for.
    outcome: securityOutcome.catch('refused').parse(row.outcome),
    factors: securityFactors.catch('').parse(row.factors),
    network: row.network,
    device: row.device,
    call: `${row.method} ${row.route}`,
    statusCode: row.status_code,
    code: row.code,
    missing: MISSING_LABELS[row.code] ?? null,
    more: row.more,
  };
}
