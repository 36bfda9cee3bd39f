/**
 * Public business cards and landers (account §1, §2, §7): pages and calls for anybody, with no session and no key. An address that names no
 * active card of a living organization leads to the same not-found view, whatever the reason.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { cardAnswer, cardParams, landerAnswer, submitLanderAnswer, submitLanderBody } from '#contract/card.ts';
import { designOf } from '#contract/card-design.ts';
import { errorView } from '#contract/error.ts';
import { LANDER_PATH } from '#contract/lander-check.ts';
import { keepSource, type Source } from '#contract/visit-source.ts';
import type { Addresses } from '#server/kit/addresses.ts';
import { networkOf } from '#server/kit/caller.ts';
import type { Db } from '#server/kit/database.ts';
import { isDatabaseAway } from '#server/kit/database-away.ts';
import { traceOf } from '#server/kit/error-trace.ts';
import type { Html } from '#server/kit/html.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { isId } from '#server/kit/ids.ts';
import { limitRate } from '#server/kit/limit-rate.ts';
import { isProgram } from '#server/kit/looking-only.ts';
import { openTally } from '#server/kit/tally.ts';
import type { Tenants } from '#server/kit/tenant.ts';
import { countOnPage, type PageCounts } from '#server/landing-page/landing-page.sql.ts';
import type { Intake } from '#server/lead/intake.ts';
import type { IntakeRoom } from '#server/lead/intake-room.ts';
import { readPicture } from '#server/organization/logo-file.ts';
import type { OrganizationPlan, PlanBook } from '#server/plan/plan-book.ts';
import { type CardCounts, type CardEvent, countEvents, findPicture, findPublicCard, type Picture, type PublicCard } from './card.sql.ts';
import { type CardAddresses, cardPage, isCard } from './card-page.ts';
import { contactCard } from './contact-card.ts';
import { viewLander } from './lander.view.ts';
import { landerPage } from './lander-page.ts';
import { barePage, nothingPage, type PublicPage, publicPageOf, sendPage } from './nothing.ts';
import { pathOf, waitBody } from './page.ts';
import { submitLander } from './submit-lander.ts';

export interface CardParts extends IntakeRoom {
  db: Db;
  tenants: Tenants;
  planBook: PlanBook;
  addresses: Addresses;
  intake: Intake;
}

/** What one network may send in a minute, and look at. */
const SUBMISSIONS = 10;
const LOOKS = 300;
const THANKS = 'Thank you. We have what you wrote and will be in touch.';

interface Found {
  organization: OrganizationPlan;
  card: PublicCard;
}

/** What the pages of other hosts may send to one card in a minute: whoever has many visitors cannot send them all to it. */
const FOREIGN_SUBMISSIONS = 60;

const html = { 'text/html': { schema: z.string() } };
const pageAnswers = {
  200: { description: 'The page.', content: html },
  302: { description: 'To the host of the card’s own organization.', content: { 'text/plain': { schema: z.string() } } },
  404: { description: 'The not-found view.', content: html },
  429: { description: 'Too many pages were asked for from this network; Retry-After says when to ask again.', content: html },
  503: { description: 'The database cannot be reached; Retry-After says when to ask again.', content: html },
};
const rolodexParams = z.object({ rolodexId: z.string() });
const pictureQuery = z.object({
  at: z.string().optional().describe('Of the address that a card tells: it changes with the picture.'),
});

export async function cardRoutes(instance: FastifyInstance, parts: CardParts): Promise<void> {
  const app = withTypes(instance);
  const { db, tenants, planBook, addresses, intake, limiter } = parts;
  const told = (summary: string) => ({ tags: ['drawcard'], summary });

  /** An id is the same in capitals. At the host of another organization there is nothing of this one. */
  async function find(request: FastifyRequest, id: string): Promise<Found | undefined> {
    const found = await findAnywhere(request, id);
    return found && isAtHome(request, found.organization) ? found : undefined;
  }

  async function findAnywhere(request: FastifyRequest, given: string): Promise<Found | undefined> {
    limit(`drawcard look ${networkOf(request.ip)}`, LOOKS);
    const id = given.toLowerCase();
    const card = isId(id) ? await findPublicCard(db, id) : undefined;
    const organization = card && planBook.find(card.organizationId);
    return card && organization && !organization.suspended && isCard(card) ? { organization, card } : undefined;
  }

  /** Below our root domain each organization has its own host; the root itself and hosts that are not ours are nobody's. */
  function isAtHome({ hostname }: FastifyRequest, { subDomain }: OrganizationPlan): boolean {
    const at = addresses.subDomainOf(hostname);
    return !at || at === subDomain;
  }

  const limit = (name: string, most: number) => limitRate(limiter, name, most, 'drawcard_rate_limited');

  function addressesOf({ organization, card }: Found): CardAddresses {
    const origin = addresses.origin(organization.subDomain);
    return {
      card: `${origin}/drawcard/card/${card.id}`,
      lander: `${origin}/drawcard/lander/${card.id}`,
      picture: card.avatarAt ? `${origin}/drawcard/card/${card.id}/picture?at=${card.avatarAt.getTime()}` : undefined,
    };
  }

  const count = openTally<PublicCard, CardEvent>(
    async (card, counts) => {
      const own = tenants.of(card.organizationId);
      await countEvents(own, card, counts, new Date());
      await countOnPage(own, card, onPage(counts), new Date());
    },
    (error) => app.log.warn({ err: traceOf(error) }, 'a card was not counted'),
  );

  app.get(
    '/drawcard/card/:id',
    { schema: { ...told('The page of a business card'), params: cardParams, response: pageAnswers }, errorHandler: refuseAsPage },
    async (request, reply) => {
      const found = await findAnywhere(request, request.params.id);
      if (!found) return sendPage(reply, 404, nothing('card'));
      const at = addressesOf(found);
      if (!isAtHome(request, found.organization)) return leadTo(reply, at.card, queryOf(request));
      if (!isProgram(request)) count(found.card, ['card_views']);
      const picture = found.card.avatarAt ? await findPicture(db, found.card.id, MOST_INLINE_BYTES) : undefined;
      return sendPage(reply, 200, cardPage(found.card, at, sourceOf(request), picture));
    },
  );

  app.get(
    '/drawcard/lander/:id',
    { schema: { ...told('The page of a lander, with its form'), params: cardParams, response: pageAnswers }, errorHandler: refuseAsPage },
    async (request, reply) => {
      const found = await findAnywhere(request, request.params.id);
      const lander = found && viewLander(found.organization, found.card);
      if (!lander) return sendPage(reply, 404, nothing('lander'));
      const at = addressesOf(found);
      if (!isAtHome(request, found.organization)) return leadTo(reply, at.lander, queryOf(request));
      if (!isProgram(request)) count(found.card, ['lander_views']);
      return sendPage(reply, 200, landerPage(found.card, lander, at, sourceOf(request)));
    },
  );

  app.get('/drawcard/*', { schema: { hide: true }, errorHandler: refuseAsPage }, async (request, reply) => {
    const path = request.url.split('?', 1)[0]!;
    const straight = /^(\/drawcard\/(?:card|lander)\/[^/]+)\/+$/.exec(path)?.[1];
    return straight === undefined ? sendPage(reply, 404, nothing(publicPageOf(path) ?? 'card')) : leadTo(reply, straight, queryOf(request));
  });

  app.get(
    '/drawcard/card/:id/picture',
    {
      schema: {
        ...told('The picture of a card'),
        params: cardParams,
        querystring: pictureQuery,
        response: {
          200: { description: 'The picture.', content: { 'image/*': { schema: z.string().meta({ format: 'binary' }) } } },
          404: { description: 'There is none.', content: { 'application/json': { schema: errorView } } },
        },
      },
    },
    async (request, reply) => {
      const id = request.params.id.toLowerCase();
      const picture = isId(id) ? await findPicture(db, id) : undefined;
      const organization = picture && planBook.find(picture.organizationId);
      if (!picture || !organization || organization.suspended || !isAtHome(request, organization)) throw unknownCard();
      return (
        reply
          .type(picture.type)
          .header('content-disposition', 'inline')
          // Its own address changes with it; without the moment it is the picture of now.
          .header('cache-control', request.query.at === String(picture.at.getTime()) ? 'public, max-age=31536000, immutable' : 'no-cache')
          .header('cross-origin-resource-policy', 'cross-origin')
          .serializer((body) => body as never)
          .send(picture.bytes as never)
      );
    },
  );

  app.get(
    '/drawcard/card/:id/contact.vcf',
    {
      schema: {
        ...told('A card for an address book'),
        params: cardParams,
        response: {
          200: { description: 'A vCard.', content: { 'text/vcard': { schema: z.string() } } },
          404: { description: 'No such card.', content: { 'application/json': { schema: errorView } } },
        },
      },
    },
    async (request, reply) => {
      const found = await find(request, request.params.id);
      if (!found) throw unknownCard();
      return reply
        .type('text/vcard; charset=utf-8')
        .header('cache-control', 'no-cache')
        .header('content-disposition', `attachment; filename="contact.vcf"; filename*=UTF-8''${extValue(found.card.name)}.vcf`)
        .serializer((body) => body as never)
        .send(contactCard(found.card, addressesOf(found).card) as never);
    },
  );

  app.get(
    '/drawcard/card/:id/app.webmanifest',
    {
      schema: {
        ...told('So that a card can be put on a home screen'),
        params: cardParams,
        response: {
          200: { description: 'A web app manifest.', content: { 'application/manifest+json': { schema: z.looseObject({}) } } },
          404: { description: 'No such card.', content: { 'application/json': { schema: errorView } } },
        },
      },
    },
    async (request, reply) => {
      const found = await find(request, request.params.id);
      if (!found) throw unknownCard();
      const { card } = found;
      const at = addressesOf(found);
      const { colors } = designOf(card.designKey, card.designColor);
      const manifest = {
        ...{
          name: card.name,
          short_name: [...card.name].slice(0, 30).join(''),
          start_url: `/drawcard/card/${card.id}`,
          scope: `/drawcard/card/${card.id}`,
        },
        ...{ display: 'minimal-ui', theme_color: colors[0], background_color: '#ffffff' },
        icons: iconsOf(at.picture, card.avatarAt ? await findPicture(db, card.id) : undefined),
      };
      return reply
        .type('application/manifest+json')
        .header('cache-control', 'no-cache')
        .serializer((body) => JSON.stringify(body))
        .send(manifest as never);
    },
  );

  await app.register(async (open) => {
    letForeignPagesCall(open);
    publicCalls(withTypes(open));
  });

  const bare = (title: string, body: Html): string => barePage(title, addresses.origin(), body);
  const nothing = (what: PublicPage): string => nothingPage(what, addresses.origin());

  /** Who opens a page knows nothing of our codes: that it cannot be seen now is told as a page, too. */
  function refuseAsPage(error: Error, request: FastifyRequest, reply: FastifyReply): void {
    const seconds =
      error instanceof HttpError && error.statusCode === 429 ? error.retryAfterSeconds : isDatabaseAway(error) ? 5 : undefined;
    // A sign that no id has (%00) names nothing, like any other.
    if (error instanceof HttpError && error.code === 'request_invalid')
      return void sendPage(reply, 404, nothing(publicPageOf(request.url) ?? 'card'));
    if (seconds === undefined) throw error;
    if (!(error instanceof HttpError)) request.log.error({ err: traceOf(error) }, 'request failed');
    const code = error instanceof HttpError ? 429 : 503;
    void sendPage(reply.header('retry-after', String(seconds)), code, bare('Please wait a moment', waitBody(code, seconds)));
  }

  /** The calls of account §7. */
  function publicCalls(app: OpenApp): void {
    app.get(
      '/api/v1/drawcard/card/1/:id',
      { schema: { ...told('What a card says'), params: cardParams, response: { 200: cardAnswer } } },
      async (request) => {
        const found = await find(request, request.params.id);
        if (!found) throw unknownCard();
        const { card } = found;
        const { name, title, company, email, phone, website, designKey, socialMedia, hasLander } = card;
        const data = { name, title, company, email, phone, website, designKey, socialMedia, hasLander };
        return {
          status: true as const,
          data: {
            ...data,
            avatar: addressesOf(found).picture ?? '',
            design_color_hash: card.designColor,
            additional_information: card.additionalInformation,
          },
        };
      },
    );

    app.get(
      '/api/v1/drawcard/get-lander/:rolodexId',
      { schema: { ...told('What a lander asks for'), params: rolodexParams, response: { 200: landerAnswer } } },
      async (request) => {
        const found = await find(request, request.params.rolodexId);
        const data = found && viewLander(found.organization, found.card);
        if (!data) throw unknownLander();
        return { status: true as const, data };
      },
    );

    app.post(
      LANDER_PATH,
      { schema: { ...told('Send the form of a lander: a lead'), body: submitLanderBody, response: { 200: submitLanderAnswer } } },
      async (request) => {
        const { body } = request;
        limit(`drawcard submit ${networkOf(request.ip)}`, SUBMISSIONS);
        if (body.dc_rolodex_id !== body.rolodexId)
          throw new HttpError(400, 'lander_rolodex_differs', 'dc_rolodex_id and rolodexId must name the same card.');
        const found = await find(request, body.rolodexId);
        if (!found?.card.hasLander) throw unknownLander();
        const origin = foreignOrigin(request, addressesOf(found));
        if (origin !== undefined) limit(`drawcard foreign ${found.card.id}`, FOREIGN_SUBMISSIONS);
        // A program that fills in everything is told what it hopes for.
        if (body.dc_website) return { status: true as const, msg: THANKS };
        const { answer, isNew } = await submitLander(intake, parts, {
          ...found,
          body,
          origin,
          ip: request.ip,
          userAgent: request.headers['user-agent'] ?? '',
        });
        const { status, errors, msg, redirectUrl } = answer ?? {};
        if (status === 'invalid')
          throw new HttpError(
            400,
            'lander_invalid',
            msg ?? errors?.map(({ message }) => message).join('. ') ?? 'Look at what you wrote again.',
            { errors: errors ?? [] },
          );
        if (isNew) count(found.card, status === 'accepted' ? ['submissions', 'sold'] : ['submissions']);
        return { status: true as const, msg: THANKS, ...(redirectUrl !== undefined && { redirectUrl }) };
      },
    );
  }
}

type OpenApp = ReturnType<typeof withTypes>;
const withTypes = (instance: FastifyInstance) => instance.withTypeProvider<ZodTypeProvider>();

/** Any page may call, as every program can: nobody is signed in, no cookie is looked at. Refusals are read by foreign pages too. */
function letForeignPagesCall(app: FastifyInstance): void {
  app.addHook('onSend', async (_request, reply) => {
    reply.header('access-control-allow-origin', '*');
    reply.header('cross-origin-resource-policy', 'cross-origin');
    reply.header('access-control-expose-headers', 'retry-after');
  });
  app.options(LANDER_PATH, { schema: { hide: true } }, async (_request, reply) =>
    reply
      .headers({
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': 'content-type',
        'access-control-max-age': '86400',
      })
      .code(204)
      .send(),
  );
}

/** What page-stats tells of a lander. */
const onPage = ({ lander_views, submissions }: CardCounts): PageCounts => ({
  ...(lander_views !== undefined && { views: lander_views }),
  ...(submissions !== undefined && { submits: submissions }),
});

/** A picture up to here stands in the page itself: a phone with a poor connection sees it a round trip earlier (`npm run bench -- web`). */
const MOST_INLINE_BYTES = 64 * 1024;

/** A browser wants one that is drawn at any size; whoever takes a picture is told what it is. */
function iconsOf(address: string | undefined, picture: Picture | undefined): Record<string, string>[] {
  const mark = { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' };
  const read = picture && readPicture(picture.bytes);
  if (address === undefined || !read) return [mark];
  return [mark, { src: pathOf(address), sizes: `${read.width}x${read.height}`, type: read.type, purpose: 'any' }];
}

/** Elsewhere for good; the visit keeps what it came with. */
const leadTo = (reply: FastifyReply, address: string, query: string) =>
  reply.header('cache-control', 'no-cache').redirect(query ? `${address}?${query}` : address, 302) as never;

const queryOf = ({ url }: FastifyRequest): string => url.split('?').slice(1).join('?');
const sourceOf = (request: FastifyRequest): Source => keepSource(new URLSearchParams(queryOf(request)));

/** The page of another host that sends the form; undefined where it is ours, or no page at all. */
function foreignOrigin({ headers }: FastifyRequest, { lander }: CardAddresses): string | undefined {
  const { origin } = headers;
  if (origin === undefined || origin === new URL(lander).origin) return undefined;
  // Behind a name or a port of its own the page of this very host is ours as well.
  return URL.canParse(origin) && new URL(origin).host === headers.host ? undefined : origin.slice(0, 200);
}

/** RFC 8187: beside what encodeURIComponent leaves alone, an apostrophe and a bracket end a value. */
const extValue = (text: string): string => encodeURIComponent(text).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);

const unknownCard = () => new HttpError(404, 'card_unknown', 'There is no business card at this address.');
const unknownLander = () => new HttpError(404, 'lander_unknown', 'There is no form at this address.');
