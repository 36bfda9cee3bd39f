/** The duplicate rules: which texts identify a consumer again. Empty values never match (wire-quirks 32). */
import type { DuplicateClaim } from './effect.ts';
import type { Fields } from './filter.ts';
import type { DuplicateRule, Instant } from './plan.ts';
import { DAY_MS } from './zone.ts';

/**
 * The claim of a rule, undefined where nothing could match. Values compare without case.
 * `look` only asks (a ping); otherwise the fingerprints are taken, and stay taken on release where every received lead counts.
 * A buyer tier has received a lead when it was posted to it, a publisher tier when it was posted by it.
 */
export function duplicateClaim(
  rule: DuplicateRule,
  scopeId: string,
  fields: Fields,
  now: Instant,
  look: boolean,
): DuplicateClaim | undefined {
  const fingerprints = fingerprintsOf(rule, fields);
  if (fingerprints.length === 0) return undefined;
  const since = now - rule.windowDays * DAY_MS;
  return { scopeId, fingerprints, since, claim: !look, keepOnRelease: rule.counts === 'received' };
}

function fingerprintsOf(rule: DuplicateRule, fields: Fields): string[] {
  const filled = rule.fields.filter((name) => fields[name]);
  const pairs = filled.map((name) => `${name}=${fields[name]!.toLowerCase()}`);
  if (rule.match === 'any') return pairs;
  return filled.length === rule.fields.length && pairs.length > 0 ? [JSON.stringify(pairs)] : [];
}
