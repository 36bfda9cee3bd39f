/**
 * The generic data calls (account §7, console §7): what is read and changed by the name of a model. Conditions allow equality, `in`,
 * `not` (a value, or a list of them), ranges (`gte`, `gt`, `lte`, `lt`) and `text` on declared fields, nothing else.
 */
import { z } from 'zod';
import { csvForm } from './csv.ts';

const modelName = z.string().min(1).max(60);
const id = z.string().max(60);
const key = z.string().min(1).max(60);
export const dataRecord = z.record(z.string().max(60), z.unknown());
const condition = dataRecord.refine((one) => Object.keys(one).length <= 20, 'has more than 20 members');

export const getDataBody = z.strictObject({ model: modelName, _id: id.optional(), companyId: id.optional() });

export const updateBody = z.strictObject({ model: modelName, _id: id, data: dataRecord });
export const updateAnswer = z.object({ status: z.literal(true), msg: z.string(), data: dataRecord });

/** Fields stand beside the model's name; `_id` alone brings a deleted record back, with its id and at its place. */
export const addDataBody = z.looseObject({ model: modelName, _id: id.optional() });
/** `version`: of the record as it was read; somebody else's change meanwhile is then refused with the record as it is. */
export const editDataBody = z.looseObject({ model: modelName, _id: id, version: z.int().optional() });
export const editWithConditionBody = z.strictObject({ model: modelName, condition, data: dataRecord });
export const deleteDataBody = z.strictObject({ model: modelName, _id: id });
export const conditionBody = z.strictObject({ model: modelName, condition });

/** One page of a list; `total` counts all that the condition and the search find. */
export const listBody = z.strictObject({
  model: modelName,
  condition: condition.default({}),
  search: z.string().max(200).optional(),
  sort: z
    .array(z.strictObject({ field: key, descending: z.boolean().optional() }))
    .max(3)
    .optional(),
  skip: z.int().min(0).max(1_000_000).optional(),
  limit: z.int().min(1).max(1000).optional(),
  withArchived: z.boolean().optional(),
  fields: z.array(key).min(1).max(60).optional().describe('Only these of each record, beside its _id; all of them when absent.'),
});
/** The same list as a file of all of it, asked for by a hidden form: `listing` is the JSON text of the list's body. */
export const recordsDownload = z
  .object({
    listing: z.string().max(20_000),
    name: z.string().max(80).default('records'),
    heads: z
      .string()
      .max(4_000)
      .default('{}')
      .describe(
        'What stands above the columns, as JSON text of an object: {"status":"Status"}. A field without one is headed by its name.',
      ),
  })
  .extend(csvForm.shape);
export type ListBody = z.input<typeof listBody>;
export const listAnswer = z.object({
  status: z.literal(true),
  data: z.array(dataRecord),
  total: z.int().describe('How many there are in all, in data or not.'),
  isCut: z.boolean().describe('True when there are more after these: ask get/condition-data for them with skip, or narrow the list.'),
});
export const singleAnswer = z.object({ status: z.literal(true), data: dataRecord });
export const countAnswer = z.object({ status: z.literal(true), msg: z.string(), count: z.int() });

/** `condition` holds the values asked for, under the names of their fields, and what they must be unique within; `_id` there names the record that may keep them. */
export const uniqueNameAnswer = z.object({
  status: z.literal(true),
  isUnique: z.boolean().describe('True when every value asked for is free.'),
  msg: z.string().describe('Of the first that is taken; empty when all are free.'),
  taken: z.array(z.object({ field: z.string(), message: z.string() })).describe('Each that is taken.'),
});

export const editKeyBody = z.strictObject({ model: modelName, getCondition: condition, updateCondition: dataRecord });

/** The field `entityKey` of a record: its value is `data`, or the members that stand beside it. */
export const updateEntityBody = z.looseObject({ model: modelName, entityId: id, entityKey: key, version: z.int().optional() });
export const updateChildBody = z.looseObject({
  model: modelName,
  entityId: id,
  childEntityId: id,
  entityKey: key,
  version: z.int().optional(),
});
/** Children of the collection `entityKey`, by id. */
export const deleteChildrenBody = z.strictObject({
  model: modelName,
  _id: id,
  entityKey: key,
  data: z.union([z.array(id).min(1).max(500), id]),
});
export const addChildBody = z.looseObject({ model: modelName, entityId: id, entityKey: key, isChildInsert: z.literal(true) });
/** All records of one parent, in their new order. */
export const orderBody = z.strictObject({ model: modelName, data: z.array(id).min(1).max(1000) });
