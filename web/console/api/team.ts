import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import type { LogoKind } from '#contract/logo.ts';
import type { checkDomainAnswer, memberRegisterAnswer, RegisterAnswer, RegisterBody } from '#contract/registration.ts';
import type { BoundTo, RegionPermission } from '#contract/session.ts';
import type { InvitationAnswer, InvitationAnswered, OnlineUsersAnswer, TeamAnswer } from '#contract/team.ts';
import type { MfaAnswer } from './account.ts';
import { getJson, postFile, postJson } from './client.ts';

const T = '/api/v1/teamMgmt';
export interface Done {
  msg: string;
}

export const teamQuery = queryOptions({
  queryKey: ['team'],
  queryFn: ({ signal }) => getJson<TeamAnswer>(`${T}/team/members`, signal),
  staleTime: 5000,
});
export const onlineQuery = queryOptions({
  queryKey: ['online'],
  queryFn: ({ signal }) => getJson<OnlineUsersAnswer>(`${T}/monitor/online-users`, signal),
  refetchInterval: 30_000,
  staleTime: 2000,
});

export interface Invite {
  email: string;
  first_name: string;
  last_name: string;
  permissions: RegionPermission[];
  /** To the portal of a company, with no page ticked. */
  bound: BoundTo | null;
}
export const invite = (body: Invite) => postJson<Done>(`${T}/team/invite`, body);
export type MemberCall = 'resend-invitation' | 'delete-invitation' | 'disable' | 'enable' | 'remove';
export const callMember = (call: MemberCall, _id: string) => postJson<Done>(`${T}/team/${call}`, { _id });
export const editPermissions = (_id: string, permissions: RegionPermission[]) =>
  postJson<Done>(`${T}/team/edit-permissions`, { _id, permissions });
export const bindMember = (_id: string, bound: BoundTo | null) => postJson<Done>(`${T}/team/bind`, { _id, bound });
export const handOver = (_id: string, password: string) => postJson<Done>(`${T}/team/hand-over-ownership`, { _id, password });
export const endSession = (_id: string) => postJson<Done>(`${T}/monitor/end-session`, { _id });

export type DomainAnswer = z.infer<typeof checkDomainAnswer>;
export const checkDomain = (domain: string, key: 'add' | 'edit', companyId: string | null = null) =>
  postJson<DomainAnswer>(`${T}/organization/check-domain-exist-status`, { domain, key, companyId });
export const register = (body: RegisterBody) => postJson<RegisterAnswer>(`${T}/users/register`, body);
export const verifyRegistration = (MFA: string, userId: string) => postJson<MfaAnswer>('/api/user/register/verify-mfa', { MFA, userId });

export const invitationQuery = (teamId: string) =>
  queryOptions({
    queryKey: ['invitation', teamId],
    queryFn: () => postJson<InvitationAnswer>(`${T}/team/member/name`, { teamId }),
    staleTime: 0,
    retry: false,
  });
/** The payload of account §3, with what the invitation itself says. */
export const acceptInvitation = ({ teamData, email, organizationId }: InvitationAnswer, teamId: string, password: string) =>
  postJson<InvitationAnswered>(`${T}/team/member/accept-invitation`, {
    first_name: teamData.firstName,
    last_name: teamData.lastName,
    password,
    email,
    organizationId,
    teamId,
  });
export const rejectInvitation = (teamId: string) => postJson<InvitationAnswered>(`${T}/team/member/reject-invitation`, { teamId });
export const registerMember = (body: { first_name: string; last_name: string; password: string; teamId: string }) =>
  postJson<z.infer<typeof memberRegisterAnswer>>(`${T}/non-dp/users/register`, body);

/** A record of the generic data calls, with the fields the screen reads. */
export const recordQuery = <Fields extends object>(model: string) =>
  queryOptions({
    queryKey: ['record', model],
    queryFn: async () => {
      const { data } = await postJson<{ data: (Fields & { _id: string })[] }>(`${T}/common/get-data`, { model });
      return data[0]!;
    },
    staleTime: 0,
  });
export const updateRecord = (model: string, _id: string, data: object) => postJson<Done>(`${T}/common/update`, { model, _id, data });

export const putLogo = (kind: LogoKind, file: File) => postFile<Done>(`${T}/organization/logo/${kind}`, file);
export const removeLogo = (kind: LogoKind) => postJson<Done>(`${T}/organization/logo/${kind}/remove`, {});
