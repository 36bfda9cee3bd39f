import { Modal, PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { BoundTo } from '#contract/session.ts';
import type { TeamAnswer, TeamMemberView } from '#contract/team.ts';
import { DialogEnd } from '#web/ui/DialogEnd.tsx';
import { focusFirstError } from '#web/ui/focus-first-error.ts';
import { toast } from '#web/ui/toast.ts';
import { ApiError } from '../api/client.ts';
import { bindMember, callMember, type Done, editPermissions, handOver, invite, type MemberCall, teamQuery } from '../api/team.ts';
import { checkName } from '../registration/name-check.ts';
import { checkCredentials, tidyEmail } from '../session/sign-in-check.ts';
import { boundOf, CompanyChoice, type CompanyDraft } from './CompanyChoice.tsx';
import { TickTree } from './TickTree.tsx';
import { readTicks, type Ticks, writeTicks } from './tick-tree.ts';

interface DialogProps {
  team: TeamAnswer;
  onClose: () => void;
}

/** Sends a change, tells its result, and has the list read again. */
export function useTeamChange<Values>(mutationFn: (values: Values) => Promise<Done>, onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: ({ msg }) => {
      void toast('success', msg);
      onDone();
    },
    onSettled: () => client.invalidateQueries({ queryKey: teamQuery.queryKey }),
  });
}

const nameOf = (member: TeamMemberView) => `${member.first_name} ${member.last_name}`.trim() || member.email;
const fieldErrors = (error: Error) =>
  error instanceof ApiError ? Object.fromEntries(error.fields.map((one) => [one.field, one.message])) : {};

export function InviteDialog({ team, onClose }: DialogProps) {
  const [ticks, setTicks] = useState<Ticks>(new Map());
  const [company, setCompany] = useState<CompanyDraft>({ kind: 'none' });
  const [isUnchosen, setUnchosen] = useState(false);
  const form = useForm({
    initialValues: { first_name: '', last_name: '', email: '' },
    validate: {
      first_name: (name) => checkName(name, 'First name'),
      last_name: (name) => checkName(name, 'Last name'),
      email: checkCredentials.email,
    },
    clearInputErrorOnChange: true,
  });
  const send = useTeamChange((values: typeof form.values) => {
    const bound = boundOf(company) ?? null;
    const permissions = bound ? [] : writeTicks(ticks, team.verticals);
    return invite({ ...values, email: tidyEmail(values.email), permissions, bound });
  }, onClose);
  const submit = (values: typeof form.values) => {
    const isMissing = boundOf(company) === undefined;
    setUnchosen(isMissing);
    if (!isMissing && !send.isPending) send.mutate(values, { onError: (error) => form.setErrors(fieldErrors(error)) });
  };
  return (
    <Modal opened onClose={onClose} title="Invite somebody" size="lg">
      <form noValidate className="form-stack" onSubmit={form.onSubmit(submit, focusFirstError)}>
        <Refusal error={send.error} />
        <div className="form-pair">
          <TextInput {...form.getInputProps('first_name')} label="First name" maxLength={80} data-autofocus />
          <TextInput {...form.getInputProps('last_name')} label="Last name" maxLength={80} />
        </div>
        <TextInput {...form.getInputProps('email')} label="Email" type="email" maxLength={254} />
        <CompanyChoice
          value={company}
          onChange={(next) => {
            setUnchosen(false);
            setCompany(next);
          }}
          error={isUnchosen ? 'Choose one.' : undefined}
        />
        {company.kind === 'none' ? (
          <>
            <TickTree team={team} ticks={ticks} onChange={setTicks} />
            <NoPageNote team={team} ticks={ticks} />
          </>
        ) : (
          <PortalNote kind={company.kind} />
        )}
        <DialogEnd label="Invite" isPending={send.isPending} onClose={onClose} />
      </form>
    </Modal>
  );
}

export function PermissionsDialog({ team, member, onClose }: DialogProps & { member: TeamMemberView }) {
  const [ticks, setTicks] = useState<Ticks>(() => readTicks(member.permissions));
  const save = useTeamChange(() => editPermissions(member._id, writeTicks(ticks, team.verticals)), onClose);
  return (
    <Modal opened onClose={onClose} title={`Change what ${nameOf(member)} may open`} size="lg">
      <form
        className="form-stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (!save.isPending) save.mutate(undefined);
        }}
      >
        <Refusal error={save.error} />
        <TickTree team={team} memberId={member._id} ticks={ticks} onChange={setTicks} />
        <NoPageNote team={team} ticks={ticks} />
        <p className="muted small">Saving signs {member.first_name} out, so that the change holds at once.</p>
        <DialogEnd label="Save" isPending={save.isPending} onClose={onClose} />
      </form>
    </Modal>
  );
}

function PortalNote({ kind }: { kind: 'buyer' | 'publisher' }) {
  return (
    <p className="form-note" role="status">
      They see that {kind}’s own leads, figures, caps, returns and statements, and nothing else. Changes they ask for wait for you.
    </p>
  );
}

/** Binds somebody to one company, or takes the binding off. */
export function BindDialog({ member, onClose }: { member: TeamMemberView; onClose: () => void }) {
  const { bound } = member;
  const [company, setCompany] = useState<CompanyDraft>(bound ? { kind: bound.kind, companyId: bound.companyId } : { kind: 'none' });
  const [isUnchosen, setUnchosen] = useState(false);
  const save = useTeamChange((next: BoundTo | null) => bindMember(member._id, next), onClose);
  const chosen = boundOf(company);
  const isSame = chosen !== undefined && (chosen?.companyId ?? null) === (bound?.companyId ?? null);
  return (
    <Modal opened onClose={onClose} title={`Change what ${nameOf(member)} sees`} size="lg">
      <form
        className="form-stack"
        onSubmit={(event) => {
          event.preventDefault();
          setUnchosen(chosen === undefined);
          if (chosen !== undefined && !save.isPending) save.mutate(chosen);
        }}
      >
        <Refusal error={save.error} />
        <CompanyChoice
          value={company}
          onChange={(next) => {
            setUnchosen(false);
            setCompany(next);
          }}
          error={isUnchosen ? 'Choose one.' : undefined}
        />
        {company.kind !== 'none' && <PortalNote kind={company.kind} />}
        <p className="muted small">
          {company.kind === 'none' && bound
            ? `No page is ticked afterwards: tick those that ${member.first_name} may open. `
            : company.kind !== 'none' && !bound && member.permissions.length > 0
              ? 'The pages that are ticked now are taken away. '
              : ''}
          Saving signs {member.first_name} out, so that the change holds at once.
        </p>
        <DialogEnd label="Save" isBarred={isSame} isPending={save.isPending} onClose={onClose} />
      </form>
    </Modal>
  );
}

/** Account §6: without a page a member gets no further than no-permission. Said before it is so. */
function NoPageNote({ team, ticks }: { team: TeamAnswer; ticks: Ticks }) {
  if (writeTicks(ticks, team.verticals).length > 0) return null;
  return (
    <p className="form-note" role="status">
      No page is ticked. They can sign in, but nothing opens: they are told to ask you for access.
    </p>
  );
}

export function HandOverDialog({ member, onClose }: DialogProps & { member: TeamMemberView }) {
  const client = useQueryClient();
  const form = useForm({
    initialValues: { password: '' },
    validate: { password: (password) => (password === '' ? 'Password is required' : null) },
    clearInputErrorOnChange: true,
  });
  const send = useMutation({
    mutationFn: ({ password }: { password: string }) => handOver(member._id, password),
    onSuccess: ({ msg }) => {
      void toast('success', msg);
      client.clear();
      window.location.assign('/');
    },
    onError: (error) => form.setErrors(fieldErrors(error)),
  });
  return (
    <Modal opened onClose={onClose} title="Hand the ownership over">
      <form
        noValidate
        className="form-stack"
        onSubmit={form.onSubmit((values) => void (send.isPending || send.mutate(values)), focusFirstError)}
      >
        <p style={{ margin: 0 }}>
          <strong>{nameOf(member)}</strong> becomes the owner. You stay on the team as a member with every page ticked, and cannot take this
          back yourself.
        </p>
        <Refusal error={send.error} />
        <PasswordInput
          {...form.getInputProps('password')}
          label="Your password"
          autoComplete="current-password"
          maxLength={64}
          data-autofocus
          visibilityToggleButtonProps={{ 'aria-label': 'Show the password', tabIndex: 0 }}
        />
        <DialogEnd label="Hand over" isPending={send.isPending} onClose={onClose} isLoss />
      </form>
    </Modal>
  );
}

const ASK: Partial<Record<MemberCall, { title: string; text: string; label: string }>> = {
  disable: {
    title: 'Disable this member?',
    text: 'They are signed out at once and cannot sign in until you enable them again.',
    label: 'Disable the member',
  },
  remove: {
    title: 'Remove this member?',
    text: 'They are signed out at once and leave the team. Their permissions are lost.',
    label: 'Remove the member',
  },
  'delete-invitation': { title: 'Delete this invitation?', text: 'The link in the mail no longer works.', label: 'Delete the invitation' },
};

export function ConfirmDialog({ member, call, onClose }: { member: TeamMemberView; call: MemberCall; onClose: () => void }) {
  const send = useTeamChange(() => callMember(call, member._id), onClose);
  const ask = ASK[call];
  return (
    <Modal opened onClose={onClose} title={ask?.title ?? ''}>
      <div className="form-stack">
        <Refusal error={send.error} />
        <p style={{ margin: 0 }}>
          <strong>{nameOf(member)}</strong>: {ask?.text}
        </p>
        <DialogEnd label={ask?.label ?? ''} isLoss isPending={send.isPending} onGo={() => send.mutate(undefined)} onClose={onClose} />
      </div>
    </Modal>
  );
}

function Refusal({ error }: { error: Error | null }) {
  if (!error || (error instanceof ApiError && error.fields.length > 0)) return null;
  return (
    <div className="form-alert" role="alert">
      {error.message}
    </div>
  );
}
