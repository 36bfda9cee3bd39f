/** Session bootstrap; names and paths are account §3 and §7. Signing in is in sign-in.ts. */
import { z } from 'zod';
import { reportingTimeZone } from './organization.ts';

const plainWord = z.string().regex(/^[\w\-:. +]{0,40}$/);

/** Where somebody was when the last session ended (account §3). */
export const lastPageTimeStamp = z.object({ timespan: plainWord, startDate: plainWord, endDate: plainWord });

export const userView = z.object({
  _id: z.string(),
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  isActivate: z.boolean(),
  lastPageVisited: z.string().nullable(),
  lastPageVisitedTimeStamp: lastPageTimeStamp.nullable(),
  /** The zone the person reports in; null follows the organization's preference. */
  reportingTimeZone: reportingTimeZone.nullable(),
});
export const organizationView = z.object({
  _id: z.string(),
  name: z.string(),
  subDomain: z.string(),
  timeZone: z.string(),
  currency: z.string(),
  /** Addresses of the logos, or ''; the light one stands on dark ground. */
  logo: z.string(),
  lightLogo: z.string(),
  legalFooterText: z.string(),
  reportingTimeZone,
  currencyDisplay: z.enum(['symbol', 'code']),
  /** The page value where members begin who may open it. */
  landingPage: z.string(),
});
/** One entry of the tick tree, as in console §3. */
export const regionPermission = z.object({
  regionId: z.string(),
  regionChecked: z.boolean(),
  verticals: z.array(
    z.object({
      verticalId: z.string(),
      verticalChecked: z.boolean(),
      pages: z.array(z.object({ value: z.string(), pageChecked: z.boolean() })),
    }),
  ),
});
export type RegionPermission = z.infer<typeof regionPermission>;

/** The one company whose portal a member sees, and nothing else (product.md: home-buyer and home-publisher). */
export const boundTo = z.object({ kind: z.enum(['buyer', 'publisher']), companyId: z.string() });
export type BoundTo = z.infer<typeof boundTo>;

export const permissionView = z.object({
  isSuperAdmin: z.boolean(),
  isOwner: z.boolean(),
  /** allowFSUsers (account §6): kept out of the buyer-tier logs whatever is ticked. */
  isRestricted: z.boolean(),
  /** Set for a member of a portal: no page of the catalogue is open to them, whatever was ticked. */
  bound: boundTo.nullable(),
  /** The pages this person may open somewhere, in the order of the catalogue (account §3: entries with route and value). */
  globalPermission: z.array(z.object({ route: z.string(), value: z.string() })),
  /** What is ticked, per region and vertical; empty for owners and super admins, who may everything. */
  permissions: z.array(regionPermission),
  /** Page value -> allowed in some region and vertical; `permissions` says where. See page.ts for the values. */
  pageStatePermission: z.record(z.string(), z.boolean()),
});

/** GET /api/v1/teamMgmt/user/is-user-is-logged-in?t={time}; status false when nobody is. */
export const sessionView = z.object({
  status: z.boolean(),
  user: userView.nullable(),
  /** The organization this session works in; null when nobody is signed in. */
  organization: organizationView.nullable(),
  organizations: z.array(organizationView),
  permissionObj: permissionView.nullable(),
  /** The primary field of the organization's first vertical; changing the vertical answers that vertical's (console §7). */
  verticalPrimaryField: z.string().nullable(),
  /** Where hidden forms that ask for a CSV file are posted to (account §7); empty when nobody is signed in. */
  downloadFileUrl: z.string(),
  /** The origin that the help is loaded from and asks; null is the console's own. */
  helpHost: z.string().nullable(),
});
export type SessionView = z.infer<typeof sessionView>;

/** `country`: whose rules its leads follow, whatever it is called in addresses. */
export const regionView = z.object({ _id: z.string(), slug: z.string(), name: z.string(), country: z.enum(['us', 'uk']) });
export const verticalView = z.object({ _id: z.string(), slug: z.string(), name: z.string(), uid: z.string(), regionId: z.string() });
export type RegionView = z.infer<typeof regionView>;
export type VerticalView = z.infer<typeof verticalView>;

/** POST /api/v1/get-regions-and-verticals; both members are JSON texts (console §7). */
export const regionsAndVerticalsAnswer = z.object({
  fullRegionDatas: z.string(),
  fullVerticalDatas: z.string(),
  /** Archived verticals, each with its region: offered nowhere, their leads can still be read. */
  archived: z.array(z.object({ region: regionView, vertical: verticalView })),
});
