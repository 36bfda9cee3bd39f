/** User names, passwords and tokens of an endpoint: written one by one by name, null takes one away; only their names are ever told. */
import { z } from 'zod';
import { openJson, sealJson } from '#server/kit/crypto.ts';
import type { FieldContext, RecordField } from './record-model.ts';

type Secrets = Record<string, string>;

/** `sealedAs`: what they are sealed as, table and column: 'buyer_tier.secrets'. */
export function secretsField(sealedAs: string): RecordField {
  const open = ({ row, recordId, keys }: FieldContext): Secrets =>
    row.secrets ? openJson<Secrets>(keys(), sealedAs, recordId, row.secrets as Buffer) : {};
  return {
    column: 'secrets',
    kind: 'sealed',
    write: z.record(z.string().regex(/^[A-Za-z_]\w{0,63}$/), z.string().max(4000).nullable()),
    store(written: Record<string, string | null>, context: FieldContext) {
      const next = { ...open(context) };
      for (const [key, value] of Object.entries(written))
        if (value === null) delete next[key];
        else next[key] = value;
      return Object.keys(next).length === 0 ? null : sealJson(context.keys(), sealedAs, context.recordId, next);
    },
    read: (_stored: unknown, context: FieldContext) => Object.keys(open(context)).sort(),
  };
}
