/** The team: members, invitations and who is here now (account §2, §3, §4, §7). `teamId` is an invitation's token. */
import { z } from 'zod';
import { personName } from './person-name.ts';
import { boundTo, regionPermission, regionView, verticalView } from './session.ts';

export const memberStatus = z.enum(['invited', 'active', 'disabled', 'rejected', 'removed']);

export const teamMemberView = z.object({
  _id: z.string(),
  /** Null before the person has answered: nothing of an account is told until it accepts, not even whether there is one. */
  userId: z.string().nullable(),
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  role: z.enum(['owner', 'member']),
  status: memberStatus,
  /** When the invitation was sent last; null for who never needed one. */
  invitedAt: z.string().nullable(),
  /** True when the invitation's link is no longer good. */
  isExpired: z.boolean(),
  lastSeenAt: z.string().nullable(),
  /** Null before the person has answered. */
  isTwoFactorOn: z.boolean().nullable(),
  isRestricted: z.boolean(),
  isSelf: z.boolean(),
  /** The company whose portal is all that the member sees. */
  bound: boundTo.extend({ companyName: z.string(), isArchived: z.boolean() }).nullable(),
  permissions: z.array(regionPermission),
});
export type TeamMemberView = z.infer<typeof teamMemberView>;

/** Members, with the tree their permissions are ticked in. */
export const teamAnswer = z.object({
  status: z.literal(true),
  members: z.array(teamMemberView),
  regions: z.array(regionView),
  verticals: z.array(verticalView),
});
export type TeamAnswer = z.infer<typeof teamAnswer>;

/** A tick tree as it is sent: no larger than an organization can be. */
export const permissionTree = z
  .array(
    z.strictObject({
      regionId: z.string().max(60),
      regionChecked: z.boolean(),
      verticals: z
        .array(
          z.strictObject({
            verticalId: z.string().max(60),
            verticalChecked: z.boolean(),
            pages: z.array(z.strictObject({ value: z.string().max(60), pageChecked: z.boolean() })).max(60),
          }),
        )
        .max(200),
    }),
  )
  .max(100);

const bindingBody = z.strictObject({ kind: z.enum(['buyer', 'publisher']), companyId: z.string().max(60) });
export const inviteBody = z.strictObject({
  email: z.string().max(254),
  first_name: personName,
  last_name: personName,
  permissions: permissionTree,
  /** Who is invited to a portal takes no permissions. */
  bound: bindingBody.nullish(),
});
export const memberBody = z.strictObject({ _id: z.string().max(60) });
export const editPermissionsBody = z.strictObject({ _id: z.string().max(60), permissions: permissionTree });
/** POST …/team/bind: to one buyer or publisher, or to none. */
export const bindBody = z.strictObject({ _id: z.string().max(60), bound: bindingBody.nullable() });
export const handOverBody = z.strictObject({ _id: z.string().max(60), password: z.string().max(1024) });
export const doneAnswer = z.object({ status: z.literal(true), msg: z.string() });

export const invitationBody = z.strictObject({ teamId: z.string().max(200) });
/** 1 already accepted, 2 accepted, 3 already rejected, 4 deleted or no longer good (account §2); null while it waits for an answer. */
export const invitationResult = z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)]);
export const invitationAnswer = z.object({
  status: z.literal(true),
  teamData: z.object({ firstName: z.string(), lastName: z.string() }),
  email: z.string(),
  organizationId: z.string(),
  organizationName: z.string(),
  /** Whether the invited person has an account with a password already. */
  isUser: z.boolean(),
  isInvitationSuccess: invitationResult.nullable(),
});
export type InvitationAnswer = z.infer<typeof invitationAnswer>;

export const acceptInvitationBody = z.strictObject({
  first_name: z.string().max(80).nullish(),
  last_name: z.string().max(80).nullish(),
  /** One's own password; not needed by who is signed in as the invited person. */
  password: z.string().max(1024).nullish(),
  email: z.string().max(254).nullish(),
  organizationId: z.string().max(60).nullish(),
  teamId: z.string().max(200),
});
export const invitationAnswered = z.object({
  status: z.literal(true),
  msg: z.string(),
  isInvitationSuccess: invitationResult,
  isUser: z.boolean(),
  teamId: z.string(),
});
export type InvitationAnswered = z.infer<typeof invitationAnswered>;

export const onlineUserView = z.object({
  /** The session's name; its token is told to nobody. */
  _id: z.string(),
  userId: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  /** '' to colleagues who do not run the team. */
  email: z.string(),
  /** Browser and system, in words; '' to colleagues who do not run the team. */
  device: z.string(),
  /** The network the person calls from; '' to colleagues who do not run the team. */
  network: z.string(),
  since: z.string(),
  lastSeenAt: z.string(),
  isOwnSession: z.boolean(),
});
export type OnlineUserView = z.infer<typeof onlineUserView>;
export const onlineUsersAnswer = z.object({ status: z.literal(true), users: z.array(onlineUserView), mayEnd: z.boolean() });
export type OnlineUsersAnswer = z.infer<typeof onlineUsersAnswer>;
