/** The generic data calls (account §7): models by name, fields by declaration, always within the person's own organization. */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { sql, type Transaction } from 'kysely';
import { MESSAGES } from '#contract/message.ts';
import { getDataAnswer, getDataBody, updateAnswer, updateBody } from '#contract/record.ts';
import type { Database } from '#db/types.ts';
import type { Config } from '#server/kit/config.ts';
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { isId } from '#server/kit/ids.ts';
import { inTenant } from '#server/kit/tenant.ts';
import type { SignedIn } from '#server/session/session.sql.ts';
import { requireOwnPage, requireSignedIn, sessionCookies } from '#server/session/signed-in.ts';
import { recordModels } from './record.models.ts';
import { listRows, updateRow } from './record.sql.ts';
import type { RecordModel } from './record-model.ts';

type Row = Record<string, unknown>;

export async function recordRoutes(instance: FastifyInstance, options: { db: Db; config: Config }): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db } = options;
  const cookies = sessionCookies(options.config.appEnv);

  app.post(
    '/api/v1/teamMgmt/common/get-data',
    { schema: { tags: ['account'], summary: 'Records of a model (account §7)', body: getDataBody, response: { 200: getDataAnswer } } },
    async (request) => {
      requireOwnPage(request);
      const person = await requireSignedIn(db, cookies, request);
      const { _id } = request.body;
      const model = requireModel(request.body.model);
      if (!model.mayRead(person)) throw forbidden();
      if (_id !== undefined && !isId(_id)) throw unknown();
      const rows = await asPerson(person, (tx) => listRows(tx, model, person, _id));
      if (_id !== undefined && rows.length === 0) throw unknown();
      return { status: true as const, data: rows.map((row) => viewRow(model, row)) };
    },
  );

  app.post(
    '/api/v1/teamMgmt/common/update',
    { schema: { tags: ['account'], summary: 'Change fields of a record (account §7)', body: updateBody, response: { 200: updateAnswer } } },
    async (request) => {
      requireOwnPage(request);
      const person = await requireSignedIn(db, cookies, request);
      const { _id } = request.body;
      const model = requireModel(request.body.model);
      const data = readData(model, request.body.data);
      if (!model.mayWrite(person)) throw forbidden();
      if (!isId(_id)) throw unknown();
      const row = await asPerson(person, async (tx) => {
        if ((await listRows(tx, model, person, _id)).length === 0) throw unknown();
        await model.check?.(tx, person, data);
        await updateRow(tx, model, person, _id, data);
        return (await listRows(tx, model, person, _id))[0];
      }).catch((error) => {
        throw takenKey(model, error) ?? error;
      });
      if (!row) throw unknown();
      return { status: true as const, msg: MESSAGES.saved, data: viewRow(model, row) };
    },
  );

  /** The tenant's transaction, in which the person may also change their own account. */
  function asPerson<T>(person: SignedIn, use: (tx: Transaction<Database>) => Promise<T>): Promise<T> {
    return inTenant(db, person.organizationId, async (tx) => {
      await sql`select set_config('sluice.person', ${person.userId}, true)`.execute(tx);
      return use(tx);
    });
  }
}

function requireModel(name: string): RecordModel {
  const model = recordModels.get(name);
  if (!model) throw new HttpError(400, 'record_model_unknown', `There is no model "${name}".`);
  return model;
}

/** Checked values by field; an unknown field, one that is read only, and a wrong value are each refused by name. */
function readData(model: RecordModel, sent: Row): Row {
  const entries = Object.entries(sent);
  if (entries.length === 0) throw new HttpError(400, 'record_data_missing', 'Say which fields to change.');
  return Object.fromEntries(
    entries.map(([name, value]) => {
      const field = Object.hasOwn(model.fields, name) ? model.fields[name] : undefined;
      if (!field) throw refused(name, 'record_field_unknown', 'There is no such field.');
      if (!field.write) throw refused(name, 'record_field_fixed', 'This field cannot be changed here.');
      const read = field.write.safeParse(value);
      if (!read.success) throw refused(name, 'record_value_invalid', read.error.issues[0]?.message ?? 'is not valid');
      return [name, typeof read.data === 'string' ? read.data.trim() : read.data];
    }),
  );
}

function refused(field: string, code: string, message: string): HttpError {
  return new HttpError(400, code, `${field}: ${message}`, { errors: [{ field, message }] });
}

function viewRow(model: RecordModel, row: Row): Row {
  const fields = Object.entries(model.fields).map(([name, { column, read }]) => [name, read ? read(row[column], row) : row[column]]);
  return { _id: row.id, ...Object.fromEntries(fields) };
}

function takenKey(model: RecordModel, error: unknown): HttpError | undefined {
  const { code, constraint } = error as { code?: string; constraint?: string };
  const taken = code === '23505' && constraint ? model.unique?.[constraint] : undefined;
  return taken && new HttpError(409, taken.code, taken.message, { errors: [{ field: taken.field, message: taken.message }] });
}

function forbidden(): HttpError {
  return new HttpError(403, 'record_forbidden', 'Your role does not allow this. Ask the owner of your organization.');
}

function unknown(): HttpError {
  return new HttpError(404, 'record_unknown', 'There is no such record in your organization.');
}
