/** The two generic data calls of the account area (account §7); those of the console are in record.console.routes.ts. */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { MESSAGES } from '#contract/message.ts';
import { getDataBody, listAnswer, updateAnswer, updateBody } from '#contract/record.ts';
import { isId } from '#server/kit/ids.ts';
import type { SignedIn } from '#server/session/session.sql.ts';
import { portalOnly, requireAnybody } from '#server/session/signed-in.ts';
import { findRow } from './record.sql.ts';
import { openRecordCall, type RecordParts } from './record-call.ts';
import { editRecord, forbidden, requireModel, unknown } from './record-change.ts';
import { viewRecord } from './record-data.ts';
import { listRecords } from './record-list.ts';
import type { RecordModel } from './record-model.ts';

export async function recordRoutes(instance: FastifyInstance, options: RecordParts): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const asPerson = openRecordCall(options, requireAnybody);

  /** Of a portal's member only the own profile. */
  const requireOpenModel = (person: SignedIn, name: string): RecordModel => {
    const model = requireModel(name);
    if (person.bound && model.model !== 'user') throw portalOnly();
    return model;
  };

  app.post(
    '/api/v1/teamMgmt/common/get-data',
    { schema: { tags: ['account'], summary: 'Records of a model', body: getDataBody, response: { 200: listAnswer } } },
    (request) =>
      asPerson(request, async ({ tx, person, keys }) => {
        const { _id, companyId } = request.body;
        const model = requireOpenModel(person, request.body.model);
        if (!model.mayRead(person)) throw forbidden();
        if ((_id !== undefined && !isId(_id)) || (companyId !== undefined && companyId !== person.organizationId)) throw unknown();
        if (_id === undefined) return listRecords({ tx, person, keys }, model);
        const one = await findRow(tx, model, person, _id);
        if (!one) throw unknown();
        return { status: true as const, data: [viewRecord(model, one, keys)], total: 1, isCut: false };
      }),
  );

  app.post(
    '/api/v1/teamMgmt/common/update',
    { schema: { tags: ['account'], summary: 'Change fields of a record', body: updateBody, response: { 200: updateAnswer } } },
    (request) =>
      asPerson(request, async (change) => {
        const { model: name, _id, data } = request.body;
        const model = requireOpenModel(change.person, name);
        if (!isId(_id)) throw unknown();
        const row = await editRecord(change, model, _id, data);
        return { status: true as const, msg: MESSAGES.saved, data: viewRecord(model, row, change.keys) };
      }),
  );
}
