/** What leaves the server of people and organizations. */
import type { z } from 'zod';
import type { LogoKind } from '#contract/logo.ts';
import { readPreferences, reportingTimeZone as readZone } from '#contract/organization.ts';
import type { organizationView, permissionView, userView } from '#contract/session.ts';
import { networkOf } from '#server/kit/caller.ts';
import { nameDevice } from './name-device.ts';
import { globalPermission, mayEverything, pageStatePermission } from './session.policy.ts';
import type { LastPage, SignedIn } from './session.sql.ts';

export function viewUser(row: {
  id: string;
  email: string;
  first_name: string;
  last_name: string;
  email_confirmed_at: Date | null;
  last_page: unknown;
  reporting_time_zone: string | null;
}): z.infer<typeof userView> {
  const { id: _id, email, first_name, last_name } = row;
  return {
    _id,
    email,
    first_name,
    last_name,
    isActivate: row.email_confirmed_at !== null,
    ...viewLastPage(row.last_page as LastPage | null),
    reportingTimeZone: viewZone(row.reporting_time_zone),
  };
}

export function viewPerson(person: SignedIn): z.infer<typeof userView> {
  const { userId: _id, email, firstName: first_name, lastName: last_name, isActivated: isActivate, lastPage } = person;
  return {
    _id,
    email,
    first_name,
    last_name,
    isActivate,
    ...viewLastPage(lastPage),
    reportingTimeZone: viewZone(person.reportingTimeZone),
  };
}

export function viewPermission(person: SignedIn): z.infer<typeof permissionView> {
  return {
    isSuperAdmin: person.isSuperAdmin,
    isOwner: person.role === 'owner',
    isRestricted: person.isRestricted,
    bound: person.bound,
    globalPermission: globalPermission(person),
    permissions: mayEverything(person) ? [] : person.permissions,
    pageStatePermission: pageStatePermission(person),
  };
}

function viewLastPage(lastPage: LastPage | null) {
  return { lastPageVisited: lastPage?.url ?? null, lastPageVisitedTimeStamp: lastPage?.timeStamp ?? null };
}

const viewZone = (zone: string | null) => readZone.safeParse(zone).data ?? null;

export interface OrganizationRow {
  id: string;
  name: string;
  sub_domain: string;
  time_zone: string;
  currency: string;
  legal_footer: string;
  preferences: unknown;
  logo_version: string | null;
  light_logo_version: string | null;
}

export function viewOrganization(row: OrganizationRow): z.infer<typeof organizationView> {
  const { timeZone, currencyDisplay, landingPage } = readPreferences(row.preferences);
  return {
    _id: row.id,
    name: row.name,
    subDomain: row.sub_domain,
    timeZone: row.time_zone,
    currency: row.currency,
    logo: logoAddress('standard', row.logo_version),
    lightLogo: logoAddress('light', row.light_logo_version),
    legalFooterText: row.legal_footer,
    reportingTimeZone: timeZone,
    currencyDisplay,
    landingPage,
  };
}

function logoAddress(kind: LogoKind, version: string | null): string {
  return version ? `/organization-logos/${kind}?v=${version}` : '';
}

export function viewSessionRow(
  row: { id: string; organization: string; user_agent: string; address: string; created_at: Date; seen_at: Date },
  ownSessionId: string,
) {
  return {
    _id: row.id,
    organization: row.organization,
    device: nameDevice(row.user_agent),
    network: networkOf(row.address),
    beganAt: row.created_at.toISOString(),
    seenAt: row.seen_at.toISOString(),
    isThisOne: row.id === ownSessionId,
  };
}
