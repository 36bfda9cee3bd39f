/** For the API's documentation: each model as a schema, made from its declaration, so that it says what the calls really take and tell. */
import { z } from 'zod';
import { type JsonSchema, referTo } from '#server/kit/named-schemas.ts';
import { recordModels } from './record.models.ts';
import { type FieldKind, kindOf, type RecordField, type RecordModel } from './record-model.ts';

/** `record.<model>` -> its schema. */
export const describeModels = (): Record<string, JsonSchema> =>
  Object.fromEntries([...recordModels.values()].map((model) => [`record.${model.model}`, describeModel(model)]));

function describeModel(model: RecordModel): JsonSchema {
  const fields = Object.entries(model.fields).map(([name, field]) => [name, describeField(field)]);
  return {
    type: 'object',
    description: sayModel(model),
    properties: { _id: { type: 'string', readOnly: true }, ...Object.fromEntries(fields) },
    required: Object.keys(model.fields).filter((name) => model.fields[name]!.required),
    additionalProperties: false,
  };
}

/** What may be written of a new record, but for some fields: its `data` in a configuration. */
export function describeData(model: RecordModel, but: readonly string[]): JsonSchema {
  const told = Object.entries(model.fields).filter(([name, { write }]) => write && !but.includes(name));
  return {
    type: 'object',
    properties: Object.fromEntries(told.map(([name, field]) => [name, describeField(field)])),
    required: told.filter(([, { required }]) => required).map(([name]) => name),
  };
}

function sayModel({ parent, mayAdd, removal, uniqueNames }: RecordModel): string {
  const unique = (uniqueNames ?? []).map(({ field, within }) => (within ? `${field} within ${within}` : field));
  const sentences = [
    parent && `Children of ${parent.model}, there called ${parent.entityKey}.`,
    mayAdd ? 'What is required is so for a new one; a change says what changes.' : 'Is neither added nor removed by these calls.',
    removal === 'archive' && 'Removing archives it: it comes back when it is given a status.',
    removal === 'delete' && 'Removing deletes it: adding it with nothing but its _id brings it back.',
    unique.length > 0 && `Unique: ${unique.join('; ')}.`,
  ];
  return sentences.filter(Boolean).join(' ');
}

/** What a kind is told as where nothing else says what it is. */
const TOLD: Record<FieldKind, JsonSchema> = {
  text: { type: 'string' },
  number: { type: 'number' },
  amount: { type: 'string', description: 'An exact decimal.' },
  boolean: { type: 'boolean' },
  time: { type: 'string', format: 'date-time' },
  id: { type: 'string' },
  texts: { type: 'array', items: { type: 'string' } },
  json: { description: 'JSON of several parts.' },
  sealed: { description: 'Written by name; only the names are told.' },
};

function describeField(field: RecordField): JsonSchema {
  const kind = kindOf(field);
  if (!field.write) return { ...TOLD[kind], readOnly: true };
  const schema = kind === 'sealed' && !field.unlogged ? TOLD.sealed : writeSchema(field.write);
  return field.fixed ? { ...schema, description: 'Given when it is added, and never changed.' } : schema;
}

/** A rule of many parts is told by its name. */
function writeSchema(write: z.ZodType): JsonSchema {
  const reference = referTo(write instanceof z.ZodNullable ? write.unwrap() : write);
  if (reference) return write instanceof z.ZodNullable ? { anyOf: [reference, { type: 'null' }] } : reference;
  const { $schema: _version, ...schema } = z.toJSONSchema(write, { io: 'input', unrepresentable: 'any' });
  return schema;
}
