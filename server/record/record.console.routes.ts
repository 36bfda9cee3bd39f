/** The fifteen generic data calls of the console (console §7), over the registry of models. */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { MESSAGES } from '#contract/message.ts';
import {
  addChildBody,
  addDataBody,
  conditionBody,
  countAnswer,
  deleteChildrenBody,
  deleteDataBody,
  editDataBody,
  editKeyBody,
  editWithConditionBody,
  getDataBody,
  listAnswer,
  listBody,
  orderBody,
  singleAnswer,
  uniqueNameAnswer,
  updateAnswer,
  updateChildBody,
  updateEntityBody,
} from '#contract/record.ts';
import { restoreRemoved } from '#server/change-log/roll-back.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { isId } from '#server/kit/ids.ts';
import { childModel } from './record.registry.ts';
import { findRow, listRows } from './record.sql.ts';
import { openRecordCall, type RecordParts } from './record-call.ts';
import { addRecord, type Change, editRecord, forbidden, orderRecords, removeRecord, requireModel, unknown } from './record-change.ts';
import { readCondition, refused, requireField } from './record-condition.ts';
import { viewRecord } from './record-data.ts';
import { listRecords } from './record-list.ts';
import { isSearchable, type RecordModel, type Row } from './record-model.ts';
import { listTaken } from './record-unique.ts';

/** More at once is a slip, or work for an import. */
const CHANGED_MOST = 500;

export async function recordConsoleRoutes(instance: FastifyInstance, options: RecordParts): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const asPerson = openRecordCall(options);
  const tags = ['console'];
  const told = (summary: string) => ({ tags, summary });

  app.post(
    '/api/v1/common/post-add-data',
    {
      schema: {
        ...told('Add a record, or bring a deleted one back'),
        description: 'What each model takes stands under Schemas, as record.<model>.',
        body: addDataBody,
        response: { 200: updateAnswer },
      },
    },
    (request) =>
      asPerson(request, async (change) => {
        const { model: name, _id, ...data } = request.body;
        const model = requireModel(name);
        if (_id === undefined) return saved(change, model, await addRecord(change, model, data), 'saved');
        if (Object.keys(data).length > 0) throw refused('_id', 'record_field_fixed', 'A record that comes back takes nothing else.');
        return saved(change, model, await restoreRemoved(change, model, requireId(_id)), 'saved');
      }),
  );

  app.post(
    '/api/v1/common/post-edit-data',
    { schema: { ...told('Edit a record'), body: editDataBody, response: { 200: updateAnswer } } },
    (request) =>
      asPerson(request, async (change) => {
        const { model: name, _id, version, ...data } = request.body;
        const model = requireModel(name);
        return saved(change, model, await editRecord(change, model, requireId(_id), data, version), 'saved');
      }),
  );

  app.post(
    '/api/v1/common/post-edit-data-with-condition',
    {
      schema: {
        ...told('Edit every record that a condition finds, all or none'),
        body: editWithConditionBody,
        response: { 200: countAnswer },
      },
    },
    (request) =>
      asPerson(request, async (change) => {
        const model = requireModel(request.body.model);
        const rows = await requireSome(change, model, request.body.condition);
        for (const row of rows) await editRecord(change, model, String(row.id), request.body.data);
        return { status: true as const, msg: MESSAGES.saved, count: rows.length };
      }),
  );

  app.post(
    '/api/v1/common/post-delete-data',
    { schema: { ...told('Archive or delete a record, as its model says'), body: deleteDataBody, response: { 200: updateAnswer } } },
    (request) =>
      asPerson(request, async (change) => {
        const model = requireModel(request.body.model);
        return saved(change, model, await removeRecord(change, model, requireId(request.body._id)), 'removed');
      }),
  );

  app.post(
    '/api/v1/common/delete/condition-data',
    {
      schema: {
        ...told('Archive or delete every record that a condition finds, all or none'),
        body: conditionBody,
        response: { 200: countAnswer },
      },
    },
    (request) =>
      asPerson(request, async (change) => {
        const model = requireModel(request.body.model);
        const rows = await requireSome(change, model, request.body.condition);
        for (const row of rows) await removeRecord(change, model, String(row.id));
        return { status: true as const, msg: MESSAGES.removed, count: rows.length };
      }),
  );

  app.post(
    '/api/v1/common/get-data',
    {
      schema: {
        ...told('The records of a model, the first thousand of them'),
        body: getDataBody.omit({ _id: true }),
        response: { 200: listAnswer },
      },
    },
    (request) =>
      asPerson(request, async (change) => {
        const { model: name, companyId } = request.body;
        // Whose records these are, the session says and not the body.
        if (companyId !== undefined && companyId !== change.person.organizationId) throw unknown();
        return listRecords(change, requireModel(name));
      }),
  );

  app.post(
    '/api/v1/common/single-data',
    { schema: { ...told('The first record that a condition finds'), body: conditionBody, response: { 200: singleAnswer } } },
    (request) =>
      asPerson(request, async (change) => {
        const model = requireModel(request.body.model);
        if (!model.mayRead(change.person)) throw forbidden();
        const conditions = readCondition(model, request.body.condition);
        const [row] = await listRows(change.tx, model, change.person, {
          conditions,
          limit: 1,
          withArchived: '_id' in request.body.condition,
        });
        if (!row) throw unknown();
        return { status: true as const, data: viewRecord(model, row, change.keys) };
      }),
  );

  app.post(
    '/api/v1/common/get/condition-data',
    { schema: { ...told('A page of the records that a condition and a search find'), body: listBody, response: { 200: listAnswer } } },
    (request) =>
      asPerson(request, async (change) => {
        const { model: name, condition, sort, skip, limit, search, withArchived, fields } = request.body;
        const model = requireModel(name);
        for (const { field } of sort ?? []) requireSortable(model, field);
        for (const field of fields ?? []) requireField(model, field);
        return listRecords(change, model, {
          conditions: readCondition(model, condition),
          ...(sort && { sort }),
          ...(skip !== undefined && { skip }),
          ...(limit !== undefined && { limit }),
          ...(search?.trim() && { search: search.trim() }),
          ...(withArchived && { withArchived }),
          ...(fields && { fields }),
        });
      }),
  );

  app.post(
    '/api/v1/common/get/unique-name',
    {
      schema: {
        ...told('Whether names, slugs or other unique values are free'),
        description:
          'One value or several at once, each under the name of its field, beside what they must be unique within, and the _id of the record that may keep them: {"name": "Payday", "slug": "payday", "regionId": "..."}.',
        body: conditionBody,
        response: { 200: uniqueNameAnswer },
      },
    },
    (request) =>
      asPerson(request, async (change) => {
        const model = requireModel(request.body.model);
        if (!model.mayRead(change.person)) throw forbidden();
        const taken = await listTaken(change, model, request.body.condition);
        return { status: true as const, isUnique: taken.length === 0, msg: taken[0]?.message ?? '', taken };
      }),
  );

  app.post(
    '/api/v1/common/edit-key-data',
    { schema: { ...told('Edit the one record that a condition finds'), body: editKeyBody, response: { 200: updateAnswer } } },
    (request) =>
      asPerson(request, async (change) => {
        const { model: name, getCondition, updateCondition } = request.body;
        const model = requireModel(name);
        const rows = await requireSome(change, model, getCondition, 2);
        if (rows.length > 1) throw new HttpError(409, 'record_ambiguous', 'The condition finds more than one record. Narrow it.');
        return saved(change, model, await editRecord(change, model, String(rows[0]!.id), updateCondition), 'saved');
      }),
  );

  app.post(
    '/api/common/update-data',
    { schema: { ...told('Set one field of a record'), body: updateEntityBody, response: { 200: updateAnswer } } },
    (request) =>
      asPerson(request, async (change) => {
        const { model: name, entityId, entityKey, version, ...rest } = request.body;
        const model = requireModel(name);
        const value = Object.hasOwn(rest, 'data') ? rest.data : rest;
        return saved(change, model, await editRecord(change, model, requireId(entityId), { [entityKey]: value }, version), 'saved');
      }),
  );

  app.post(
    '/api/common/update-child-data',
    { schema: { ...told('Edit a child of a record'), body: updateChildBody, response: { 200: updateAnswer } } },
    (request) =>
      asPerson(request, async (change) => {
        const { model: name, entityId, childEntityId, entityKey, version, ...data } = request.body;
        const child = childModel(requireModel(name), entityKey);
        await requireChild(change, child, entityId, childEntityId);
        return saved(change, child, await editRecord(change, child, childEntityId, data, version), 'saved');
      }),
  );

  app.post(
    '/api/common/delete',
    { schema: { ...told('Remove children of a record, all or none'), body: deleteChildrenBody, response: { 200: countAnswer } } },
    (request) =>
      asPerson(request, async (change) => {
        const { model: name, _id, entityKey, data } = request.body;
        const child = childModel(requireModel(name), entityKey);
        const ids = [...new Set([data].flat())].sort();
        for (const one of ids) {
          await requireChild(change, child, _id, one);
          await removeRecord(change, child, one);
        }
        return { status: true as const, msg: MESSAGES.removed, count: ids.length };
      }),
  );

  app.post(
    '/api/common/add-data',
    { schema: { ...told('Add a child to a record'), body: addChildBody, response: { 200: updateAnswer } } },
    (request) =>
      asPerson(request, async (change) => {
        const { model: name, entityId, entityKey, isChildInsert, ...data } = request.body;
        const child = childModel(requireModel(name), entityKey);
        const row = await addRecord(change, child, { ...data, [child.parent!.field]: requireId(entityId) });
        return saved(change, child, row, 'saved');
      }),
  );

  app.post(
    '/api/common/order-change',
    { schema: { ...told('Bring the children of one record into a new order'), body: orderBody, response: { 200: countAnswer } } },
    (request) =>
      asPerson(request, async (change) => {
        const model = requireModel(request.body.model);
        if (!request.body.data.every(isId)) throw unknown();
        await orderRecords(change, model, request.body.data);
        return { status: true as const, msg: MESSAGES.saved, count: request.body.data.length };
      }),
  );
}

function saved(change: Change, model: RecordModel, row: Row, key: 'saved' | 'removed') {
  return { status: true as const, msg: MESSAGES[key], data: viewRecord(model, row, change.keys) };
}

/** What a condition finds, to be changed: at least one, and not too many. */
async function requireSome(change: Change, model: RecordModel, condition: Row, most = CHANGED_MOST + 1): Promise<Row[]> {
  if (!model.mayWrite(change.person)) throw forbidden();
  if (Object.keys(condition).length === 0) throw new HttpError(400, 'record_condition_missing', 'A change needs a condition.');
  const rows = await listRows(change.tx, model, change.person, { conditions: readCondition(model, condition), limit: most });
  if (rows.length === 0) throw unknown();
  if (rows.length > CHANGED_MOST)
    throw new HttpError(400, 'record_too_many', `The condition finds more than ${CHANGED_MOST} records. Narrow it.`);
  return rows.sort(byId);
}

/** Records are locked one after another: in one order for everybody, so that nobody waits for who waits for them. */
const byId = (a: Row, b: Row): number => (String(a.id) < String(b.id) ? -1 : 1);

async function requireChild(change: Change, child: RecordModel, parentId: string, id: string): Promise<void> {
  const row = isId(id) && isId(parentId) ? await findRow(change.tx, child, change.person, id) : undefined;
  const { column } = child.fields[child.parent!.field]!;
  if (!row || row[column] !== parentId) throw unknown();
}

function requireSortable(model: RecordModel, name: string): void {
  const field = requireField(model, name);
  if (!isSearchable(field)) throw refused(name, 'record_field_unsearchable', 'Records cannot be sorted by this field.');
}

function requireId(id: string): string {
  if (!isId(id)) throw unknown();
  return id;
}
