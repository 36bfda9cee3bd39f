import { ActionIcon, Button, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { TeamAnswer, TeamMemberView } from '#contract/team.ts';
import { IconDots, IconUserPlus } from '#web/ui/icons.ts';
import { TimeAgo } from '#web/ui/reporting.tsx';
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast.ts';
import { callMember, type MemberCall, teamQuery } from '../api/team.ts';
import { PageTabs } from '../shell/PageTabs.tsx';
import { BindDialog, ConfirmDialog, HandOverDialog, InviteDialog, PermissionsDialog, useTeamChange } from './MemberDialogs.tsx';
import './team.css';

type Open =
  | { kind: 'invite' }
  | { kind: 'permissions'; member: TeamMemberView }
  | { kind: 'bind'; member: TeamMemberView }
  | { kind: 'hand-over'; member: TeamMemberView }
  | { kind: 'ask'; member: TeamMemberView; call: MemberCall };

/** Account §2: the owner's page of the team. */
export function Team() {
  const team = useQuery(teamQuery);
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  return (
    <div className="page narrow">
      <title>Team · Sluice</title>
      <div className="page-head">
        <h1>Team</h1>
        <Button
          className="push"
          size="sm"
          leftSection={<IconUserPlus size={17} aria-hidden />}
          disabled={!team.data}
          onClick={() => setOpen({ kind: 'invite' })}
        >
          Invite
        </Button>
      </div>
      <PageTabs of="organization" />
      <div className="card">
        {team.isPending && (
          <div className="card-pad">
            <SkeletonLines count={4} />
          </div>
        )}
        {team.isError && <ErrorState error={team.error} onRetry={() => void team.refetch()} />}
        <ul className="people">
          {team.data?.members.map((member) => (
            <Member key={member._id} member={member} onOpen={setOpen} />
          ))}
        </ul>
      </div>
      {team.data && open && <Dialog open={open} team={team.data} onClose={close} />}
    </div>
  );
}

function Dialog({ open, team, onClose }: { open: Open; team: TeamAnswer; onClose: () => void }) {
  if (open.kind === 'invite') return <InviteDialog team={team} onClose={onClose} />;
  if (open.kind === 'permissions') return <PermissionsDialog team={team} member={open.member} onClose={onClose} />;
  if (open.kind === 'bind') return <BindDialog member={open.member} onClose={onClose} />;
  if (open.kind === 'hand-over') return <HandOverDialog team={team} member={open.member} onClose={onClose} />;
  return <ConfirmDialog member={open.member} call={open.call} onClose={onClose} />;
}

const STATUS: Record<TeamMemberView['status'], { label: string; tone: string }> = {
  active: { label: 'Active', tone: 'good' },
  invited: { label: 'Invited', tone: 'info' },
  disabled: { label: 'Disabled', tone: 'bad' },
  rejected: { label: 'Rejected', tone: 'warn' },
  removed: { label: 'Removed', tone: 'muted' },
};

function Member({ member, onOpen }: { member: TeamMemberView; onOpen: (open: Open) => void }) {
  const { label, tone } = member.isExpired ? { label: 'Invitation expired', tone: 'warn' } : STATUS[member.status];
  const name = `${member.first_name} ${member.last_name}`.trim() || member.email;
  return (
    <li>
      <div className="person">
        <strong>
          {name} {member.isSelf && <span className="muted">(you)</span>}
        </strong>
        <span className="muted small">{member.email}</span>
      </div>
      <span className="facts muted small">
        <span>{member.role === 'owner' ? 'Owner, every page' : pagesOf(member)}</span>
        {member.isTwoFactorOn !== null && <span>{member.isTwoFactorOn ? 'Two-factor on' : 'Two-factor off'}</span>}
        {member.isRestricted && <span>Kept out of the logs</span>}
        <span>
          {member.lastSeenAt ? (
            <>
              seen <TimeAgo at={member.lastSeenAt} />
            </>
          ) : (
            'not seen yet'
          )}
        </span>
      </span>
      <span className={`pill ${tone}`}>{label}</span>
      <MemberMenu member={member} name={name} onOpen={onOpen} />
    </li>
  );
}

function pagesOf(member: TeamMemberView): string {
  if (member.bound) {
    const { kind, companyName, isArchived } = member.bound;
    return `Portal of ${kind} ${companyName}${isArchived ? ' (archived)' : ''}`;
  }
  const count = new Set(
    member.permissions.flatMap((one) =>
      one.verticals.flatMap((place) => place.pages.filter((page) => page.pageChecked).map((page) => page.value)),
    ),
  ).size;
  return count === 0 ? 'Member, no page yet' : `Member, ${count} ${count === 1 ? 'page' : 'pages'}`;
}

function MemberMenu({ member, name, onOpen }: { member: TeamMemberView; name: string; onOpen: (open: Open) => void }) {
  const change = useTeamChange(
    (call: MemberCall) => callMember(call, member._id),
    () => {},
  );
  const now = (call: MemberCall) => change.mutate(call, { onError: (error) => void toast('error', error.message) });
  const ask = (call: MemberCall) => onOpen({ kind: 'ask', member, call });
  const { status } = member;
  const why = member.isSelf ? 'You cannot change yourself. Hand the ownership over first.' : 'The owner cannot be changed.';
  const fixed = member.isSelf || member.role === 'owner';
  return (
    <Menu position="bottom-end" width={230} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon
          variant="default"
          size={32}
          aria-label={`Change ${name}`}
          disabled={fixed}
          title={fixed ? why : undefined}
          loading={change.isPending}
        >
          <IconDots size={17} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown aria-label={`Change ${name}`}>
        {status !== 'rejected' && !member.bound && (
          <Menu.Item onClick={() => onOpen({ kind: 'permissions', member })}>Permissions</Menu.Item>
        )}
        {status !== 'rejected' && (
          <Menu.Item onClick={() => onOpen({ kind: 'bind', member })}>{member.bound ? 'Portal' : 'Bind to a portal'}</Menu.Item>
        )}
        {status === 'active' && <Menu.Item onClick={() => ask('disable')}>Disable</Menu.Item>}
        {status === 'active' && !member.bound && (
          <Menu.Item onClick={() => onOpen({ kind: 'hand-over', member })}>Hand the ownership over</Menu.Item>
        )}
        {status === 'disabled' && <Menu.Item onClick={() => now('enable')}>Enable</Menu.Item>}
        {status === 'invited' && <Menu.Item onClick={() => now('resend-invitation')}>Send the invitation again</Menu.Item>}
        {(status === 'invited' || status === 'rejected') && (
          <Menu.Item onClick={() => ask('delete-invitation')}>Delete the invitation</Menu.Item>
        )}
        {(status === 'active' || status === 'disabled') && <Menu.Item onClick={() => ask('remove')}>Remove from the team</Menu.Item>}
      </Menu.Dropdown>
    </Menu>
  );
}
