/** Feeds of leads, as their page and the generic data calls know them. */
import { sql } from 'kysely';
import ssh2 from 'ssh2';
import { z } from 'zod';
import {
  type ExportContent,
  exportContent,
  type FeedDestination,
  type FeedSchedule,
  feedDestination,
  feedSchedule,
  feedSecrets,
} from '#contract/export.ts';
import { type AllowList, refuseHost, refuseUrl } from '#server/delivery/outbound-address.ts';
import { openJson, sealJson } from '#server/kit/crypto.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { refused } from '#server/record/record-condition.ts';
import { type FieldContext, isRestored, type RecordModel, type Row } from '#server/record/record-model.ts';
import { name, notes, status, updatedAt, version } from '#server/record/shared-fields.ts';
import { mayOpenSomewhere, mayUnmask } from '#server/session/session.policy.ts';
import type { SignedIn } from '#server/session/session.sql.ts';
import { EXPORT_PAGE } from './export.job.ts';
import { listExportFields, showsPersons } from './export-columns.ts';
import { requireContent } from './require-content.ts';
import { nextDue } from './schedule.ts';
import { SFTP_PORTS } from './sftp-ports.ts';

const may = (person: SignedIn) => mayOpenSomewhere(person, EXPORT_PAGE);

export const FEED_SECRETS = 'export_feed.secrets';
export type FeedSecrets = Partial<Record<'password' | 'privateKey' | 'passphrase', string>>;

const openSecrets = ({ row, recordId, keys }: FieldContext): FeedSecrets =>
  row.secrets ? openJson<FeedSecrets>(keys(), FEED_SECRETS, recordId, row.secrets as Buffer) : {};

/** Where secrets are handed to; nothing where none are. */
const serverOf = (destination: FeedDestination) =>
  destination.kind === 'sftp' ? `${destination.user} at ${destination.host}:${destination.port}` : '';

export const exportFeed: RecordModel = {
  model: 'exportFeed',
  label: 'Feed of leads',
  table: 'export_feed',
  organizationColumn: 'organization_id',
  page: EXPORT_PAGE,
  fields: {
    name,
    verticalId: { column: 'vertical_id', kind: 'id', write: z.uuid(), required: true, fixed: true, refers: 'vertical' },
    status,
    schedule: { column: 'schedule', kind: 'json', write: feedSchedule, required: true },
    content: { column: 'content', kind: 'json', write: exportContent, required: true },
    destination: {
      column: 'destination',
      kind: 'json',
      write: feedDestination,
      required: true,
      // The key of one server is not another's.
      store(written: FeedDestination, { row }: FieldContext) {
        const before = row.destination as FeedDestination | undefined;
        if (written.kind !== 'sftp' || before?.kind !== 'sftp') return written;
        const isOther = written.host !== before.host || written.port !== before.port;
        return isOther && written.hostKey === before.hostKey ? { ...written, hostKey: null } : written;
      },
    },
    secrets: {
      column: 'secrets',
      kind: 'sealed',
      write: feedSecrets,
      store(written: z.infer<typeof feedSecrets>, context: FieldContext) {
        const next: FeedSecrets = { ...openSecrets(context) };
        for (const [key, value] of Object.entries(written) as [keyof FeedSecrets, string | null | undefined][])
          if (value === null) delete next[key];
          else if (value !== undefined) next[key] = value;
        requireReadable(next);
        return Object.keys(next).length === 0 ? null : sealJson(context.keys(), FEED_SECRETS, context.recordId, next);
      },
      // A password that is kept goes to no other server.
      checkEdit(written: z.infer<typeof feedSecrets> | undefined, before: Row, context: FieldContext) {
        const [was, is] = [before.destination, context.row.destination].map((one) => serverOf(one as FeedDestination));
        if (was === is || was === '') return;
        const kept = Object.keys(openSecrets({ ...context, row: before })).filter(
          (one) => written?.[one as keyof FeedSecrets] === undefined,
        );
        if (kept.length > 0)
          throw refused('secrets', 'feed_secrets_needed', `The server is another. Give the password or key for it, or take them away.`);
      },
      read: (_stored: unknown, context: FieldContext) => Object.keys(openSecrets(context)).sort(),
    },
    sendEmpty: { column: 'send_empty', kind: 'boolean', write: z.boolean() },
    sendChanges: { column: 'send_changes', kind: 'boolean', write: z.boolean() },
    notes,
    destinationKind: { column: 'destination_kind', expression: sql`(t.destination ->> 'kind')` },
    nextAt: {
      column: 'schedule',
      kind: 'json',
      readsWith: ['status'],
      read: (schedule: FeedSchedule, { row }: FieldContext) =>
        row.status === 'active' ? new Date(nextDue(schedule, Date.now())).toISOString() : null,
    },
    coveredTo: { column: 'covered_to', kind: 'time' },
    lastState: {
      column: 'last_state',
      expression: sql`(select x.state from export_run x where x.organization_id = t.organization_id and x.feed_id = t.id order by x.id desc limit 1)`,
    },
    lastAt: {
      column: 'last_at',
      kind: 'time',
      expression: sql`(select x.last_at from export_run x where x.organization_id = t.organization_id and x.feed_id = t.id order by x.id desc limit 1)`,
    },
    failingSince: { column: 'failing_since', kind: 'time' },
    version,
    updatedAt,
  },
  verticalOf: sql`t.vertical_id`,
  mayRead: may,
  mayWrite: may,
  mayAdd: may,
  removal: 'archive',
  search: ['name', 'notes'],
  uniqueNames: [{ field: 'name', within: 'verticalId' }],
  async check(tx, person, changed, row, before, { outboundAllow }) {
    const verticalId = String(row.vertical_id);
    const fields = await listExportFields(tx, person.organizationId, verticalId);
    const personal = [row, before].some((one) => one && showsPersons(one.content as ExportContent, fields));
    const goesOn = row.status === 'active' && before?.status !== 'active';
    const isTurned = before !== null && !goesOn && Object.keys(changed).every((one) => one === 'status' || one === 'notes');
    if ((personal || (row.content as ExportContent).unmasked) && !isTurned && !mayUnmask(person))
      throw new HttpError(
        403,
        'feed_unmask_forbidden',
        'A feed with the values of persons as they are is set up by who may see them: an owner. You may pause it.',
      );
    if (!isTurned) await requireContent(tx, person.organizationId, verticalId, row.content as ExportContent);
    if (changed.destination && !isRestored(before)) requireReachable(row.destination as FeedDestination, outboundAllow);
    if ((row.destination as FeedDestination).kind === 'sftp' && !row.secrets)
      throw refused('secrets', 'feed_secrets_missing', 'An SFTP server wants a password or a private key.');
  },
  logged: true,
};

/** Throws 400 for addresses inside the network, and ports that are not called; names are judged at each run again. A mail goes to no address of this kind. */
function requireReachable(destination: FeedDestination, allow: AllowList): void {
  if (destination.kind === 'mail') return;
  const isHttp = destination.kind === 'http';
  const message = isHttp ? refuseUrl(destination.url, allow) : refuseHost(destination.host, destination.port, allow, SFTP_PORTS);
  if (!message) return;
  const field = isHttp ? 'destination.url' : 'destination.host';
  throw new HttpError(400, 'feed_address_refused', message, { errors: [{ field, message }] });
}

function requireReadable({ privateKey, passphrase }: FeedSecrets): void {
  if (privateKey === undefined) return;
  const key = ssh2.utils.parseKey(privateKey, passphrase);
  if (!(key instanceof Error)) return;
  const needs = /passphrase|encrypted/i.test(key.message) ? ' It is locked: give its passphrase too.' : '';
  throw refused('secrets', 'feed_key_unreadable', `The private key cannot be read.${needs}`);
}
