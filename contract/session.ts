/** Sign-in and session bootstrap; names and paths are account §3 and §7. */
import { z } from 'zod';

/** POST /team-login, needs the header `X-Requested-With: sluice` (the cross-site request header of account §7). */
export const teamLoginBody = z.strictObject({ email: z.string().max(254), password: z.string().max(1024) });

export const userView = z.object({ _id: z.string(), email: z.string(), first_name: z.string(), last_name: z.string() });
export const organizationView = z.object({
  _id: z.string(),
  name: z.string(),
  subDomain: z.string(),
  timeZone: z.string(),
  currency: z.string(),
});
export const permissionView = z.object({
  isSuperAdmin: z.boolean(),
  isOwner: z.boolean(),
  /** Page value -> allowed, in the region and vertical at hand; see page.ts for the values. */
  pageStatePermission: z.record(z.string(), z.boolean()),
});

export const teamLoginAnswer = z.object({
  status: z.boolean(),
  msg: z.string(),
  isEnv: z.boolean(),
  _id: z.string(),
  user: userView,
  organizations: z.array(organizationView),
});

/** GET /api/v1/teamMgmt/user/is-user-is-logged-in?t={time}; status false when nobody is. */
export const sessionView = z.object({
  status: z.boolean(),
  user: userView.nullable(),
  /** The organization this session works in; null when nobody is signed in. */
  organization: organizationView.nullable(),
  organizations: z.array(organizationView),
  permissionObj: permissionView.nullable(),
  verticalPrimaryField: z.string().nullable(),
  downloadFileUrl: z.string(),
});
export type SessionView = z.infer<typeof sessionView>;

export const regionView = z.object({ _id: z.string(), slug: z.string(), name: z.string() });
export const verticalView = z.object({ _id: z.string(), slug: z.string(), name: z.string(), uid: z.string(), regionId: z.string() });
export type RegionView = z.infer<typeof regionView>;
export type VerticalView = z.infer<typeof verticalView>;

/** POST /api/v1/get-regions-and-verticals; both members are JSON texts (console §7). */
export const regionsAndVerticalsAnswer = z.object({ fullRegionDatas: z.string(), fullVerticalDatas: z.string() });
