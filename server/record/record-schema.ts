/** For the API's documentation: each model as a schema, made from its declaration, so that it says what the calls really take and tell. */
import { z } from 'zod';
import { recordModels } from './record.models.ts';
import { type FieldKind, kindOf, type RecordField, type RecordModel } from './record-model.ts';

type Schema = Record<string, unknown>;

/** `record.<model>` -> its schema. */
export const describeModels = (): Record<string, Schema> =>
  Object.fromEntries([...recordModels.values()].map((model) => [`record.${model.model}`, describeModel(model)]));

function describeModel(model: RecordModel): Schema {
  const fields = Object.entries(model.fields).map(([name, field]) => [name, describeField(field)]);
  return {
    type: 'object',
    description: sayModel(model),
    properties: { _id: { type: 'string', readOnly: true }, ...Object.fromEntries(fields) },
    required: Object.keys(model.fields).filter((name) => model.fields[name]!.required),
    additionalProperties: false,
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

/** What a kind is told as. A rule of many parts is no more than named: written out, those that nest would fill a book. */
const TOLD: Record<FieldKind, Schema> = {
  text: { type: 'string' },
  number: { type: 'number' },
  amount: { type: 'string', description: 'An exact decimal.' },
  boolean: { type: 'boolean' },
  time: { type: 'string', format: 'date-time' },
  id: { type: 'string' },
  texts: { type: 'array', items: { type: 'string' } },
  json: { description: 'JSON of the shape in which it is read; what is wrong in it is refused by its path.' },
  sealed: { description: 'Written by name; only the names are told.' },
};

function describeField(field: RecordField): Schema {
  const kind = kindOf(field);
  if (!field.write) return { ...TOLD[kind], readOnly: true };
  const isOpaque = kind === 'json' || kind === 'sealed';
  const schema = isOpaque ? TOLD[kind] : writeSchema(field.write);
  return field.fixed ? { ...schema, description: 'Given when it is added, and never changed.' } : schema;
}

function writeSchema(write: z.ZodType): Schema {
  const { $schema: _version, ...schema } = z.toJSONSchema(write, { io: 'input', unrepresentable: 'any' });
  return schema;
}
