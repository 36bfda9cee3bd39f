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

/** The settings they are found in, and sentences without their full stop, beginning in lower case; each is told of its own field. */
export function refuseFaults(compiled: object | { field: string; text: string }[]): void {
  if (!Array.isArray(compiled) || compiled.length === 0) return;
  const errors = compiled.map(({ field, text }) => ({ field, message: sentence(text) }));
  throw new HttpError(400, 'tier_invalid', errors.map(({ message }) => message).join(' '), { errors });
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
