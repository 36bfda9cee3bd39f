/** User names, passwords and tokens of an endpoint: written one by one by name, null takes one away; only their names are ever told. */
import { z } from 'zod';
import { type EndpointDraft, newOrigins, sayNewOrigins } from '#contract/endpoint.secrets.ts';
import { openJson, sealJson } from '#server/kit/crypto.ts';
import { HttpError } from '#server/kit/http-error.ts';
import type { FieldContext, RecordField, Row } from './record-model.ts';

type Secrets = Record<string, string>;

/** Stored secrets stay with the addresses they were written for: one that is kept is not sent to another origin by a change of the endpoint. */
function requireKnownOrigins(before: Row, row: Row, kept: string[]): void {
  const origins = newOrigins(before.endpoint as EndpointDraft, row.endpoint as EndpointDraft);
  if (origins.length > 0 && kept.length > 0) throw secretsNeeded(origins, kept);
}

export function secretsNeeded(origins: string[], names: string[]): HttpError {
  const message = sayNewOrigins(origins, names);
  return new HttpError(400, 'endpoint_secrets_needed', message, { errors: [{ field: 'secrets', message }] });
}

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
    checkEdit(written: Record<string, string | null> | undefined, before: Row, context: FieldContext) {
      const kept = Object.keys(open({ ...context, row: before })).filter((name) => written?.[name] === undefined);
      requireKnownOrigins(before, context.row, kept.toSorted());
    },
    read: (_stored: unknown, context: FieldContext) => Object.keys(open(context)).sort(),
  };
}
