/** The change log: read and taken back by who runs the organization. */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { type ChangeView, changeLogAnswer, changeLogChoices, changeLogQuery, rollBackBody } from '#contract/change-log.ts';
import { MESSAGES } from '#contract/message.ts';
import { doneAnswer } from '#contract/team.ts';
import { requireAskedSpan } from '#server/kit/asked-span.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { idInstant, isId } from '#server/kit/ids.ts';
import { inTenant } from '#server/kit/tenant.ts';
import { recordModels } from '#server/record/record.models.ts';
import { openRecordCall, type RecordParts } from '#server/record/record-call.ts';
import type { SignedIn } from '#server/session/session.sql.ts';
import { requireSignedIn, sessionCookies } from '#server/session/signed-in.ts';
import { mayRunOrganization } from '#server/team/team.policy.ts';
import { findChanges, type LoggedChange, listChangers, listRollBacks } from './change-log.sql.ts';
import { EVENTS } from './event-models.ts';
import { rollBack, undoneBy, whyFinal } from './roll-back.ts';

export async function changeLogRoutes(instance: FastifyInstance, options: RecordParts): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db, config } = options;
  const cookies = sessionCookies(config.appEnv);
  const asPerson = openRecordCall(options);

  app.get(
    '/api/v1/change-log',
    {
      schema: {
        tags: ['console'],
        summary: 'Who changed what, the newest first',
        querystring: changeLogQuery,
        response: { 200: changeLogAnswer },
      },
    },
    async (request) => {
      const person = await requireSignedIn(db, cookies, request);
      requireReader(person);
      const { limit, before, recordId, userId, ...listing } = request.query;
      requireAskedSpan('change_log', listing);
      const ids = { before, recordId, userId };
      if (Object.values(ids).some((id) => id !== undefined && !isId(id)))
        return { status: true as const, changes: [], older: null, lookedTo: null };
      const { organizationId } = person;
      return inTenant(db, organizationId, async (tx) => {
        const { rows, older, lookedTo } = await findChanges(tx, organizationId, { ...listing, ...ids, limit });
        const recordIds = [...new Set(rows.map((row) => row.record_id))];
        const undone = undoneBy(recordIds.length > 0 ? await listRollBacks(tx, organizationId, recordIds) : []);
        const changes = rows.map((row) => viewChange(row, undone.has(row.id)));
        return { status: true as const, changes, older, lookedTo };
      });
    },
  );

  app.get(
    '/api/v1/change-log/choices',
    { schema: { tags: ['console'], summary: 'What the change log can be narrowed to', response: { 200: changeLogChoices } } },
    async (request) => {
      const person = await requireSignedIn(db, cookies, request);
      requireReader(person);
      const people = await inTenant(db, person.organizationId, (tx) => listChangers(tx, person.organizationId));
      const logged = [...recordModels.values()].filter((model) => model.logged).map(({ model }) => model);
      const models = [...logged, ...Object.keys(EVENTS)].map((model) => ({ model, label: labelOf(model) }));
      return {
        status: true as const,
        models: models.toSorted((a, b) => a.label.localeCompare(b.label)),
        people: people.map(({ user_id, name }) => ({ _id: user_id, name })),
      };
    },
  );

  app.post(
    '/api/v1/change-log/roll-back',
    {
      schema: {
        tags: ['console'],
        summary: 'Take one change back, if nothing later depends on it',
        body: rollBackBody,
        response: { 200: doneAnswer },
      },
    },
    (request) =>
      asPerson(request, async (change) => {
        requireReader(change.person);
        if (!isId(request.body._id)) throw new HttpError(404, 'change_unknown', 'There is no such change in your organization.');
        const { leftOut } = await rollBack(change, request.body._id);
        return { status: true as const, msg: leftOut ? MESSAGES.changeRolledBackInPart : MESSAGES.changeRolledBack };
      }),
  );
}

export function requireReader(person: SignedIn): void {
  if (!mayRunOrganization(person))
    throw new HttpError(403, 'change_log_forbidden', 'Only the owner of the organization sees its change log.');
}

/** For people: 'Buyer tier'. */
export const labelOf = (model: string): string => EVENTS[model]?.label ?? recordModels.get(model)?.label ?? model;

function viewChange(row: LoggedChange, isRolledBack: boolean): ChangeView {
  return {
    _id: row.id,
    at: new Date(idInstant(row.id)).toISOString(),
    userId: row.user_id,
    userName: row.user_name,
    network: row.address,
    model: row.model,
    modelLabel: labelOf(row.model),
    recordId: row.record_id,
    recordName: row.record_name,
    action: row.action as ChangeView['action'],
    before: row.before as Record<string, unknown>,
    after: row.after as Record<string, unknown>,
    rollsBack: row.rolls_back,
    isRolledBack,
    final: whyFinal(row),
  };
}
