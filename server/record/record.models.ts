/** The models of the generic data calls. A new one is a declaration here, and nothing else. */
import { sql } from 'kysely';
import { z } from 'zod';
import { returnReasons } from '#contract/lead-return.ts';
import { LEGAL_FOOTER_MAX } from '#contract/logo.ts';
import { MESSAGES } from '#contract/message.ts';
import { organizationPreferences, readPreferences, reportingTimeZone } from '#contract/organization.ts';
import { organizationName, personName } from '#contract/person-name.ts';
import { abTest } from '#server/ab-test/ab-test.model.ts';
import { bank } from '#server/bank/bank.models.ts';
import { binMove, binRange } from '#server/bin/bin.models.ts';
import { buyer, buyerTier } from '#server/buyer/buyer.models.ts';
import { campaign, treeGroup } from '#server/campaign/campaign.models.ts';
import { card } from '#server/card/card.model.ts';
import { contact } from '#server/contact/contact.model.ts';
import { exportFeed } from '#server/export/export-feed.model.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { beyondTenant } from '#server/kit/tenant.ts';
import { landingPage } from '#server/landing-page/landing-page.model.ts';
import { isSubDomainTaken, keepFormerSubDomain } from '#server/organization/sub-domain.sql.ts';
import { paymentProcessor } from '#server/payment/payment-processor.model.ts';
import { announceConfiguration } from '#server/plan/configuration.sql.ts';
import { promotion } from '#server/promotion/promotion.model.ts';
import { publisher, publisherTier } from '#server/publisher/publisher.models.ts';
import { requireSubDomain } from '#server/registration/register-organization.ts';
import { retention } from '#server/retention/retention.model.ts';
import { answerSample } from '#server/sample/sample.model.ts';
import { service } from '#server/service/service.models.ts';
import { suppressionList } from '#server/suppression/suppression.models.ts';
import { mayRunOrganization, mayRunTeam } from '#server/team/team.policy.ts';
import { field, region, vertical } from '#server/vertical/vertical.models.ts';
import { webhook } from '#server/webhook/webhook.model.ts';
import type { RecordField, RecordModel } from './record-model.ts';

const user: RecordModel = {
  model: 'user',
  label: 'Profile',
  table: 'app_user',
  organizationColumn: null,
  own: (person) => person.userId,
  fields: {
    email: { column: 'email' },
    first_name: { column: 'first_name', write: personName },
    last_name: { column: 'last_name', write: personName },
    reportingTimeZone: { column: 'reporting_time_zone', write: reportingTimeZone.nullable() },
    requestMails: { column: 'request_mails', kind: 'boolean', write: z.boolean() },
    isTwoFactorOn: { column: 'is_two_factor_on', expression: sql`(t.mfa_enabled_at is not null)`, kind: 'boolean' },
    createdAt: { column: 'created_at', kind: 'time' },
  },
  mayRead: () => true,
  mayWrite: () => true,
};

const organization: RecordModel = {
  model: 'organization',
  label: 'Organization',
  logged: true,
  table: 'organization',
  organizationColumn: 'id',
  own: (person) => person.organizationId,
  fields: {
    name: { column: 'name', write: organizationName },
    subDomain: { column: 'sub_domain', write: z.string().max(200).transform(requireSubDomain) },
    legalFooterText: { column: 'legal_footer', write: z.string().max(LEGAL_FOOTER_MAX) },
    returnReasons: { column: 'return_reasons', kind: 'texts', write: returnReasons },
    returnDays: { column: 'return_days', kind: 'number', write: z.int().min(0).max(365) },
    timeZone: { column: 'time_zone' },
    currency: { column: 'currency' },
    createdAt: { column: 'created_at', kind: 'time' },
  },
  mayRead: () => true,
  mayWrite: mayRunOrganization,
  async check(tx, person, { subDomain }, _row, before) {
    if (subDomain === undefined) return;
    await beyondTenant(tx, async (all) => {
      if (await isSubDomainTaken(all, String(subDomain), person.organizationId))
        throw new HttpError(409, 'sub_domain_taken', MESSAGES.subDomainTaken, {
          errors: [{ field: 'subDomain', message: MESSAGES.subDomainTaken }],
        });
      await keepFormerSubDomain(all, person.organizationId, String(before?.sub_domain), String(subDomain), Date.now());
    });
    await announceConfiguration(tx, person.organizationId);
  },
  unique: { organization_sub_domain_key: { field: 'subDomain', code: 'sub_domain_taken', message: MESSAGES.subDomainTaken } },
};

const preference = (key: keyof typeof organizationPreferences.shape): RecordField => ({
  column: 'preferences',
  key,
  write: organizationPreferences.shape[key].unwrap(),
  read: (stored: unknown) => readPreferences(stored)[key],
});

const preferences: RecordModel = {
  model: 'preferences',
  label: 'Preferences',
  logged: true,
  nameOf: () => 'Preferences',
  table: 'organization',
  organizationColumn: 'id',
  own: (person) => person.organizationId,
  fields: {
    timeZone: preference('timeZone'),
    currencyDisplay: preference('currencyDisplay'),
    landingPage: preference('landingPage'),
    securityNotices: preference('securityNotices'),
    breakerNotices: preference('breakerNotices'),
    redirectHours: { ...preference('redirectHours'), kind: 'number' },
    allowFSUsers: { column: 'restricted_user_ids', kind: 'texts', write: z.array(z.uuid()).max(500) },
  },
  mayRead: mayRunOrganization,
  mayWrite: mayRunOrganization,
  async check(tx, person, { allowFSUsers, redirectHours }) {
    if (redirectHours !== undefined) await announceConfiguration(tx, person.organizationId);
    const ids = [...new Set((allowFSUsers as string[] | undefined) ?? [])];
    if (ids.length === 0) return;
    const known = await tx
      .selectFrom('team_member')
      .select('user_id')
      .where('organization_id', '=', person.organizationId)
      .where('user_id', 'in', ids)
      .execute();
    if (known.length !== ids.length) throw new HttpError(404, 'member_unknown', 'A restricted user must be on your team.');
  },
};

const teamMember: RecordModel = {
  model: 'teamMember',
  label: 'Member',
  table: 'team_member',
  organizationColumn: 'organization_id',
  fields: {
    // Nothing of an account is told until it accepts.
    userId: {
      column: 'member_user_id',
      expression: sql`case when t.status not in ('invited', 'rejected') then t.user_id end`,
      kind: 'id',
    },
    role: { column: 'role' },
    status: { column: 'status' },
    permissions: { column: 'permissions', kind: 'json' },
    invitedAt: { column: 'invited_at', kind: 'time' },
    lastSeenAt: { column: 'seen_at', kind: 'time' },
  },
  mayRead: mayRunTeam,
  // Whatever changes a member also ends sessions: it has calls of its own.
  mayWrite: () => false,
};

export const recordModels: ReadonlyMap<string, RecordModel> = new Map(
  [
    user,
    organization,
    preferences,
    teamMember,
    region,
    vertical,
    field,
    publisher,
    publisherTier,
    buyer,
    buyerTier,
    answerSample,
    service,
    contact,
    card,
    landingPage,
    paymentProcessor,
    campaign,
    treeGroup,
    promotion,
    retention,
    webhook,
    exportFeed,
    abTest,
    suppressionList,
    bank,
    binRange,
    binMove,
  ].map((one) => [one.model, one]),
);
