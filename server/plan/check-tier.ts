/** The engine's own judgement of a rule, asked before it is stored: what would be left out of routing is refused with the reason. */
import { verticalPlan } from '#engine/compile.ts';
import type { VerticalPlan } from '#engine/compiled.ts';
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { findVertical } from './configuration.sql.ts';

export async function requireVerticalPlan(db: Db, organizationId: string, verticalId: string): Promise<VerticalPlan> {
  const config = await findVertical(db, organizationId, verticalId);
  if (!config) throw new HttpError(404, 'vertical_unknown', 'There is no such vertical, or you may not work in it.');
  return verticalPlan(config);
}

/** Faults are sentences without their full stop, beginning in lower case. */
export function refuseFaults(compiled: object | string[]): void {
  if (!Array.isArray(compiled) || compiled.length === 0) return;
  const message = compiled.map((fault) => `${String(fault).charAt(0).toUpperCase()}${String(fault).slice(1)}.`).join(' ');
  throw new HttpError(400, 'tier_invalid', message, { errors: compiled.map((fault) => ({ field: 'rules', message: String(fault) })) });
}
