/** Views of reports, leads and logs: a member's own, and those that are shared with everybody who may open the page in that vertical. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import {
  changedView,
  defaultViewBody,
  isKeptBy,
  MOST_VIEWS,
  newView,
  type SavedView,
  VIEW_PAGES,
  type ViewPage,
  viewDone,
  viewParams,
  viewSaved,
  viewsAnswer,
  viewsQuery,
} from '#contract/saved-view.ts';
import type { Config } from '#server/kit/config.ts';
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { newId } from '#server/kit/ids.ts';
import { inTenant, type Tenants } from '#server/kit/tenant.ts';
import { forbidden } from '#server/lead/lead.console.routes.ts';
import type { Tx } from '#server/record/record-model.ts';
import { requirePlace } from '#server/region/region.routes.ts';
import { mayOpenPage, maySetUpIn } from '#server/session/session.policy.ts';
import type { SignedIn } from '#server/session/session.sql.ts';
import { requireOwnPage, requireSignedIn, sessionCookies } from '#server/session/signed-in.ts';
import { findDefaultView, hasRoom, listViews, lockView, noteViews, updateView, type ViewRow } from './saved-view.sql.ts';

const tags = ['console'];
const URL = '/api/console/views';
type LockedView = NonNullable<Awaited<ReturnType<typeof lockView>>>;

export async function savedViewRoutes(
  instance: FastifyInstance,
  { db, tenants, config }: { db: Db; tenants: Tenants; config: Config },
): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const cookies = sessionCookies(config.appEnv);

  async function enter(request: FastifyRequest, query: { region: string; vertical: string; page: ViewPage }) {
    const person = await requireSignedIn(db, cookies, request);
    const own = tenants.of(person.organizationId);
    const { regionId, verticalId } = await requirePlace(own, person, query);
    if (!mayOpen(person, query.page, regionId, verticalId)) throw forbidden();
    return { person, own, place: { organizationId: person.organizationId, verticalId, page: query.page, userId: person.userId } };
  }

  /** With the view of that id, where the person may see it; another's private one is not there. */
  async function withView<T>(
    request: FastifyRequest,
    id: string,
    use: (tx: Tx, view: LockedView, person: SignedIn) => Promise<T>,
  ): Promise<T> {
    requireOwnPage(request);
    const person = await requireSignedIn(db, cookies, request);
    return inTenant(db, person.organizationId, async (tx) => {
      const view = await lockView(tx, person.organizationId, id);
      const isSeen = view && (view.user_id === person.userId || view.shared);
      if (!isSeen || !mayOpen(person, view.page as ViewPage, view.region_id, view.vertical_id)) throw unknown();
      return use(tx, view, person);
    });
  }

  app.get(
    URL,
    { schema: { tags, summary: 'The views of a page that one may open', querystring: viewsQuery, response: { 200: viewsAnswer } } },
    async (request) => {
      const { person, own, place } = await enter(request, request.query);
      const rows = await listViews(own, place);
      const notes = await noteViews(own, place.organizationId, rows);
      const byDefault = await findDefaultView(own, place);
      const views = rows.map((row) => viewOf(row, person, byDefault === row.id, notes.get(row.id)));
      return { status: true as const, views, mayShare: maySetUpIn(person, place.verticalId) };
    },
  );

  app.post(
    URL,
    { schema: { tags, summary: 'Keep the address of a page as a view', body: newView, response: { 200: viewSaved } } },
    async (request) => {
      requireOwnPage(request);
      const { name, search, shared, ...asked } = request.body;
      const { person, place } = await enter(request, asked);
      if (shared) requireSharer(person, place.verticalId);
      requireKept(place.page, search);
      const row = await inTenant(db, place.organizationId, async (tx) => {
        if (!(await hasRoom(tx, place))) throw tooMany();
        const values = {
          ...{ organization_id: place.organizationId, id: newId(), vertical_id: place.verticalId, page: place.page, name, shared },
          ...{ user_id: person.userId, user_name: `${person.firstName} ${person.lastName}`.trim(), search: JSON.stringify(search) },
        };
        return named(() => tx.insertInto('saved_view').values(values).returningAll().executeTakeFirstOrThrow());
      });
      return { status: true as const, msg: 'View saved.', view: viewOf(row, person, false) };
    },
  );

  app.post(
    `${URL}/:id`,
    {
      schema: {
        ...{ tags, summary: 'Rename a view, keep another address in it, share it or stop sharing it' },
        ...{ params: viewParams, body: changedView, response: { 200: viewSaved } },
      },
    },
    (request) =>
      withView(request, request.params.id, async (tx, view, person) => {
        const { version, name, search, shared } = request.body;
        requireEditor(person, view);
        if (view.removed_at !== null) throw unknown();
        if (view.version !== version)
          throw new HttpError(409, 'view_stale', 'Somebody changed this view meanwhile. Open it again, then save.');
        if (shared && !view.shared) requireSharer(person, view.vertical_id);
        if (search) requireKept(view.page, search);
        const changed = {
          ...(name !== undefined && { name }),
          ...(search !== undefined && { search: JSON.stringify(search) }),
          ...(shared !== undefined && { shared }),
        };
        const row = await named(() => updateView(tx, view, changed));
        const place = placeOf(row, person);
        const msg = shared === undefined ? 'View saved.' : shared ? 'View shared.' : 'View is yours alone.';
        return { status: true as const, msg, view: viewOf(row, person, (await findDefaultView(tx, place)) === row.id) };
      }),
  );

  app.post(
    `${URL}/:id/remove`,
    { schema: { tags, summary: 'Take a view away; it can be brought back for a day', params: viewParams, response: { 200: viewDone } } },
    (request) =>
      withView(request, request.params.id, async (tx, view, person) => {
        requireEditor(person, view);
        if (view.removed_at !== null) throw unknown();
        await updateView(tx, view, { removed_at: new Date() });
        return { status: true as const, msg: `View “${view.name}” deleted.` };
      }),
  );

  app.post(
    `${URL}/:id/restore`,
    { schema: { tags, summary: 'Bring a view back', params: viewParams, response: { 200: viewDone } } },
    (request) =>
      withView(request, request.params.id, async (tx, view, person) => {
        requireEditor(person, view);
        if (view.removed_at === null) return { status: true as const, msg: `View “${view.name}” is there.` };
        if (!(await hasRoom(tx, { ...placeOf(view, person), userId: view.user_id }))) throw tooMany();
        await named(() => updateView(tx, view, { removed_at: null }));
        return { status: true as const, msg: `View “${view.name}” is back.` };
      }),
  );

  app.post(
    `${URL}/:id/default`,
    {
      schema: {
        ...{ tags, summary: 'Open the page with this view, or no longer; for oneself alone' },
        ...{ params: viewParams, body: defaultViewBody, response: { 200: viewDone } },
      },
    },
    (request) =>
      withView(request, request.params.id, async (tx, view, person) => {
        if (view.removed_at !== null) throw unknown();
        const { isDefault } = request.body;
        const key = { organization_id: view.organization_id, user_id: person.userId, vertical_id: view.vertical_id, page: view.page };
        if (isDefault)
          await tx
            .insertInto('default_view')
            .values({ ...key, view_id: view.id })
            .onConflict((conflict) =>
              conflict.columns(['organization_id', 'user_id', 'vertical_id', 'page']).doUpdateSet({ view_id: view.id }),
            )
            .execute();
        else
          await tx
            .deleteFrom('default_view')
            .where('organization_id', '=', key.organization_id)
            .where('user_id', '=', key.user_id)
            .where('vertical_id', '=', key.vertical_id)
            .where('page', '=', key.page)
            .where('view_id', '=', view.id)
            .execute();
        const msg = isDefault ? `The page opens with “${view.name}” for you.` : 'The page opens without a view for you.';
        return { status: true as const, msg };
      }),
  );
}

const mayOpen = (person: SignedIn, page: ViewPage, regionId: string, verticalId: string): boolean =>
  VIEW_PAGES[page].some((one) => mayOpenPage(person, one, regionId, verticalId));

const placeOf = (row: ViewRow, { userId }: SignedIn) => ({
  ...{ organizationId: row.organization_id, verticalId: row.vertical_id, page: row.page as ViewPage, userId },
});

/** One's own; a shared one too for who sets the vertical up. */
const mayEdit = (person: SignedIn, view: ViewRow): boolean =>
  view.user_id === person.userId || (view.shared && maySetUpIn(person, view.vertical_id));

function requireEditor(person: SignedIn, view: ViewRow): void {
  if (!mayEdit(person, view))
    throw new HttpError(403, 'view_not_yours', `This view is ${view.user_name}’s. Save the address as a view of your own.`);
}

function requireKept(page: string, search: Record<string, string>): void {
  if (isKeptBy(page, search)) return;
  const message = 'A view of this log keeps no reason: it is searched for in what buyers said. Take it away, then save.';
  throw new HttpError(400, 'view_search_refused', message, { errors: [{ field: 'search', message }] });
}

function requireSharer(person: SignedIn, verticalId: string): void {
  if (!maySetUpIn(person, verticalId))
    throw new HttpError(403, 'view_share_forbidden', 'Views are shared by who sets this vertical up. Save it for yourself, or ask them.');
}

function viewOf(row: ViewRow, person: SignedIn, isDefault: boolean, notes: string[] = []): SavedView {
  const isOwn = row.user_id === person.userId;
  return {
    ...{ _id: row.id, name: row.name, search: row.search as Record<string, string>, shared: row.shared, isOwn, ownerName: row.user_name },
    ...{ mayEdit: mayEdit(person, row), isDefault, version: row.version, notes },
  };
}

async function named<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if ((error as { constraint?: string }).constraint !== 'saved_view_name') throw error;
    const message = 'There is a view of this name already. Choose another one.';
    throw new HttpError(409, 'view_name_taken', message, { errors: [{ field: 'name', message }] });
  }
}

const tooMany = () => new HttpError(409, 'view_limit', `There are ${MOST_VIEWS} views of this page already. Delete one first.`);
const unknown = () => new HttpError(404, 'view_unknown', 'There is no such view, or it is not open to you.');
