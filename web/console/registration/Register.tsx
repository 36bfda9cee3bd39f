import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { MESSAGES } from '#contract/message.ts';
import type { RegisterAnswer } from '#contract/registration.ts';
import { plainSubDomain, subDomainProblem } from '#contract/sub-domain.ts';
import { focusFirstError } from '#web/ui/focus-first-error.ts';
import type { MfaAnswer } from '../api/account.ts';
import { ApiError } from '../api/client.ts';
import { checkDomain, register, verifyRegistration } from '../api/team.ts';
import { QrForm } from '../session/CodeForm.tsx';
import { FormAlert } from '../session/FormAlert.tsx';
import { checkPasswordLength } from '../session/password-check.ts';
import { RecoveryCodes } from '../session/RecoveryCodes.tsx';
import { checkCredentials, tidyEmail } from '../session/sign-in-check.ts';
import { DoorPage } from './DoorPage.tsx';
import { checkName } from './name-check.ts';
import { SubDomainInput } from './SubDomainInput.tsx';

/** Account §4: form, then the two-factor view or, in local and test, straight in. */
export function Register() {
  const [answer, setAnswer] = useState<RegisterAnswer | null>(null);
  const client = useQueryClient();
  const router = useRouter();
  const enter = (next: RegisterAnswer) => {
    if (!next.jsonResponse.isEnv) return setAnswer(next);
    client.clear();
    const { redirectUrl } = next.jsonResponse;
    if (redirectUrl) window.location.assign(redirectUrl);
    else router.history.push('/');
  };
  if (answer) return <SetUpCode answer={answer} />;
  return <RegisterForm onRegistered={enter} />;
}

interface Values {
  organization: string;
  subDomain: string;
  first_name: string;
  last_name: string;
  email: string;
  password: string;
}

/** The server's names of fields in the words of the form. */
const fieldOf = (field: string): string =>
  field === 'orgDetails.subDomain' ? 'subDomain' : field === 'orgDetails.name' ? 'organization' : field;

function RegisterForm({ onRegistered }: { onRegistered: (answer: RegisterAnswer) => void }) {
  const form = useForm<Values>({
    initialValues: { organization: '', subDomain: '', first_name: '', last_name: '', email: '', password: '' },
    validate: {
      organization: (name) => checkName(name, 'Organization name'),
      subDomain: (text) => {
        const problem = subDomainProblem(plainSubDomain(text));
        return problem ? MESSAGES[problem] : null;
      },
      first_name: (name) => checkName(name, 'First name'),
      last_name: (name) => checkName(name, 'Last name'),
      email: checkCredentials.email,
      password: checkPasswordLength,
    },
    clearInputErrorOnChange: true,
  });
  const send = useMutation({
    mutationFn: async ({ organization, subDomain, email, ...rest }: Values) => {
      // Account §5: looked up once more on submit.
      const domain = await checkDomain(plainSubDomain(subDomain), 'add');
      if (domain.status) throw new ApiError(409, 'sub_domain_taken', domain.msg, [{ field: 'subDomain', message: domain.msg }]);
      const orgDetails = { name: organization, userDetail: [], subDomain: domain.domain };
      return register({ ...rest, email: tidyEmail(email), orgDetails, invitationData: null });
    },
    onSuccess: onRegistered,
    onError: (error) => {
      if (!(error instanceof ApiError)) return;
      const errors = Object.fromEntries(error.fields.map(({ field, message }) => [fieldOf(field), message]));
      form.setErrors(errors);
      focusFirstError(errors);
    },
  });
  const atField = send.error instanceof ApiError && send.error.fields.length > 0;
  const submit = (values: Values) => {
    if (!send.isPending) send.mutate(values);
  };
  return (
    <DoorPage title="Register your organization">
      <form noValidate onSubmit={form.onSubmit(submit, focusFirstError)}>
        <FormAlert key={send.submittedAt} error={atField ? null : send.error} onHide={send.reset} />
        <TextInput
          {...form.getInputProps('organization')}
          label="Organization name"
          autoComplete="organization"
          maxLength={200}
          autoFocus
        />
        <SubDomainInput {...form.getInputProps('subDomain')} value={form.values.subDomain} label="Sub-domain" mode="add" />
        <div className="pair">
          <TextInput {...form.getInputProps('first_name')} label="First name" autoComplete="given-name" maxLength={80} />
          <TextInput {...form.getInputProps('last_name')} label="Last name" autoComplete="family-name" maxLength={80} />
        </div>
        <TextInput {...form.getInputProps('email')} label="Email" type="email" autoComplete="username" maxLength={254} />
        <PasswordInput
          {...form.getInputProps('password')}
          label="Password"
          description="8 to 20 characters, not one of the usual ones and not your name."
          autoComplete="new-password"
          maxLength={64}
          visibilityToggleButtonProps={{ 'aria-label': 'Show the password', tabIndex: 0 }}
        />
        <Button type="submit" size="md" fullWidth loading={send.isPending}>
          Register
        </Button>
      </form>
      <p className="after muted">
        Have an account already?{' '}
        <Link to="/login" className="link">
          Sign in
        </Link>
      </p>
    </DoorPage>
  );
}

/** Account §4: the picture for an authenticator, its first code, recovery codes to keep, then the mail that confirms the address. */
function SetUpCode({ answer }: { answer: RegisterAnswer }) {
  const { qrCode, secret, user } = answer.jsonResponse;
  const [done, setDone] = useState<MfaAnswer | null>(null);
  const [kept, setKept] = useState(false);
  const client = useQueryClient();
  const router = useRouter();
  /** An invitation to the same address has confirmed it: the code has signed the person in, here or at the new sub-domain. */
  const goOn = ({ organizations, redirectUrl }: MfaAnswer) => {
    if (organizations.length === 0) return setKept(true);
    client.clear();
    if (redirectUrl) window.location.assign(redirectUrl);
    else router.history.push('/');
  };
  if (kept)
    return (
      <DoorPage title="Look into your mail">
        <p>{answer.msg}</p>
        <p className="muted">It went to {user.email}.</p>
      </DoorPage>
    );
  return (
    <DoorPage title={done ? 'Recovery codes' : 'Protect your account'}>
      {done ? (
        <RecoveryCodes codes={done.recoveryCodes} action="Go on" onKept={() => goOn(done)} />
      ) : (
        <QrForm
          qrCode={qrCode}
          secret={secret}
          send={(code) => verifyRegistration(code, user._id)}
          onDone={setDone}
          onOver={() => router.history.push('/login')}
        />
      )}
    </DoorPage>
  );
}
