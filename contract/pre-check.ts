/** Ready-made checks: what a third-party service may be that calls nobody (engine/pre-check.ts). */
import { z } from 'zod';

const field = z.string().regex(/^[A-Za-z_]\w{0,62}$/, 'must name a field');
const whenEmpty = z.enum(['pass', 'refuse']);
const domain = z
  .string()
  .max(253)
  .regex(/^([\p{L}\p{N}]([\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+[\p{L}\p{N}-]{2,}$/u, 'must be domains such as mailinator.com, in small letters')
  .refine((text) => text === text.toLowerCase(), 'must be written in small letters');
export const DISPOSABLE_MOST = 5_000;

export const preCheck = z.discriminatedUnion('kind', [
  /** Whether such a number can be given out at all; `countries` none: of any country. */
  z.strictObject({ kind: z.literal('phone'), field, countries: z.array(z.enum(['us', 'uk'])).max(2), whenEmpty }),
  /** Its form, and domains that are refused with all that lies under them. */
  z.strictObject({ kind: z.literal('email'), field, disposable: z.array(domain).max(DISPOSABLE_MOST), whenEmpty }),
  /** Whether the US ZIP code lies in the state. */
  z.strictObject({ kind: z.literal('address'), stateField: field, zipField: field, whenEmpty }),
  /** That there is a certificate; where it must lie, and how old it may be, by the date that another field says. */
  z.strictObject({
    kind: z.literal('consent'),
    field,
    hosts: z.array(domain).max(20),
    age: z.strictObject({ dateField: field, mostDays: z.int().min(0).max(3650) }).optional(),
  }),
]);
export type PreCheckRule = z.infer<typeof preCheck>;

/** Its fields, with the types that each may have; any where none is said. */
export function fieldsOfCheck(check: PreCheckRule): { path: string; field: string; types?: readonly string[] }[] {
  switch (check.kind) {
    case 'phone':
      return [{ path: 'field', field: check.field, types: ['phone', 'string'] }];
    case 'email':
      return [{ path: 'field', field: check.field, types: ['email', 'string'] }];
    case 'address':
      return [
        { path: 'stateField', field: check.stateField, types: ['state'] },
        { path: 'zipField', field: check.zipField, types: ['zip'] },
      ];
    case 'consent':
      return [
        { path: 'field', field: check.field, types: ['string', 'url'] },
        ...(check.age ? [{ path: 'age.dateField', field: check.age.dateField, types: ['date', 'string'] }] : []),
      ];
  }
}

/** A lead that a check is tried with, and what it says. */
export const tryCheckBody = z.strictObject({
  verticalId: z.string().max(60),
  check: preCheck,
  lead: z.record(z.string().max(63), z.string().max(5000)),
});
export const tryCheckAnswer = z.object({ status: z.literal(true), outcome: z.enum(['passed', 'refused']), reason: z.string().nullable() });
export type TryCheckAnswer = z.infer<typeof tryCheckAnswer>;
