/** A ready-made check looks at fields that the vertical has, of types it understands. */
import { fieldsOfCheck, type PreCheckRule } from '#contract/pre-check.ts';
import type { VerticalConfig } from '#engine/plan.ts';
import { HttpError } from '#server/kit/http-error.ts';

/** Throws 400 with the field that does not do. */
export function requireCheckable(check: PreCheckRule, { fields, country }: VerticalConfig): void {
  if (check.kind === 'address' && country !== 'us')
    throw refused('kind', 'knows the ZIP codes of the US only, and this vertical lies elsewhere. Choose another check.');
  for (const { path, field, types } of fieldsOfCheck(check)) {
    const found = fields.find(({ fieldName }) => fieldName === field);
    if (!found) throw refused(path, `names the field "${field}", which the vertical does not have. Choose one of its fields.`);
    if (types && !types.includes(found.type))
      throw refused(path, `cannot look at "${field}", which is a field of type ${found.type}. Choose one of type ${types.join(' or ')}.`);
  }
}

function refused(path: string, message: string): HttpError {
  return new HttpError(400, 'service_check_invalid', `The check ${message}`, { errors: [{ field: `endpoint.check.${path}`, message }] });
}
