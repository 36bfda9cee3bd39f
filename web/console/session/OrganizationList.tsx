import { useMutation } from '@tanstack/react-query';
import { IconArrowRight } from '#web/ui/icons.ts';
import { chooseOrganization, type SignInStep } from '../api/account.ts';
import { FormAlert } from './FormAlert.tsx';

/** Account §4: somebody on several teams chooses one, which opens at its sub-domain. */
export function OrganizationList({
  organizations,
  onDone,
}: {
  organizations: SignInStep['organizations'];
  onDone: (step: SignInStep) => void;
}) {
  const choose = useMutation({ mutationFn: chooseOrganization, onSuccess: onDone });
  return (
    <>
      <p className="sign-in-lead">You are on several teams. Which one do you want to open?</p>
      {choose.error && <FormAlert key={choose.submittedAt} error={choose.error} onHide={choose.reset} />}
      <ul className="organization-list" aria-label="Organizations">
        {organizations.map(({ _id, name, subDomain }) => (
          <li key={_id}>
            <button type="button" disabled={choose.isPending} onClick={() => choose.mutate(_id)}>
              <strong>{name}</strong>
              <span className="muted small">{subDomain}</span>
              <IconArrowRight size={18} aria-hidden />
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
