/** The two generic data calls of the account area (account §7); those of the console are in record.console.routes.ts. */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { MESSAGES } from '#contract/message.ts';
import { getDataAnswer, getDataBody, updateAnswer, updateBody } from '#contract/record.ts';
import { isId } from '#server/kit/ids.ts';
import { findRow, listRows } from './record.sql.ts';
import { openRecordCall, type RecordParts } from './record-call.ts';
import { editRecord, forbidden, requireModel, unknown } from './record-change.ts';
import { viewRecord } from './record-data.ts';

export async function recordRoutes(instance: FastifyInstance, options: RecordParts): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const asPerson = openRecordCall(options);

  app.post(
    '/api/v1/teamMgmt/common/get-data',
    { schema: { tags: ['account'], summary: 'Records of a model (account §7)', body: getDataBody, response: { 200: getDataAnswer } } },
    (request) =>
      asPerson(request, async ({ tx, person, keys }) => {
        const { _id, companyId } = request.body;
        const model = requireModel(request.body.model);
        if (!model.mayRead(person)) throw forbidden();
        if ((_id !== undefined && !isId(_id)) || (companyId !== undefined && companyId !== person.organizationId)) throw unknown();
        const one = _id !== undefined ? await findRow(tx, model, person, _id) : undefined;
        if (_id !== undefined && !one) throw unknown();
        const rows = one ? [one] : await listRows(tx, model, person);
        return { status: true as const, data: rows.map((row) => viewRecord(model, row, keys)) };
      }),
  );

  app.post(
    '/api/v1/teamMgmt/common/update',
    { schema: { tags: ['account'], summary: 'Change fields of a record (account §7)', body: updateBody, response: { 200: updateAnswer } } },
    (request) =>
      asPerson(request, async (change) => {
        const { model: name, _id, data } = request.body;
        const model = requireModel(name);
        if (!isId(_id)) throw unknown();
        const row = await editRecord(change, model, _id, data);
        return { status: true as const, msg: MESSAGES.saved, data: viewRecord(model, row, change.keys) };
      }),
  );
}
