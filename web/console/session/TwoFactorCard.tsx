import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { toast } from '#web/ui/toast.ts';
import { renewRecoveryCodes } from '../api/account.ts';
import { message } from '../message.ts';
import { checkCode, plainCode } from './code-text.ts';
import { FormAlert } from './FormAlert.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import './sign-in.css';

/** New recovery codes, for a code of the authenticator. */
export function TwoFactorCard() {
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const renew = useMutation({ mutationFn: renewRecoveryCodes });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const missing = checkCode(code);
    setProblem(missing);
    if (!missing && !renew.isPending) renew.mutate(plainCode(code));
  };
  const kept = () => {
    setCode('');
    renew.reset();
    void toast('success', message('recoveryCodesRenewed'));
  };
  return (
    <section className="card" aria-labelledby="two-factor-card">
      <header>
        <h2 id="two-factor-card">Recovery codes</h2>
      </header>
      <div className="card-body">
        {renew.data ? (
          <RecoveryCodes codes={renew.data.recoveryCodes} action="Done" onKept={kept} />
        ) : (
          <form noValidate className="security-form" onSubmit={submit}>
            <p className="muted">
              A recovery code opens your account once when your authenticator is out of reach. New codes replace all old ones. Where
              two-factor sign-in is off there are none.
            </p>
            {renew.error && <FormAlert key={renew.submittedAt} error={renew.error} onHide={renew.reset} />}
            <TextInput
              label="Code of your authenticator"
              className="code-input"
              autoComplete="one-time-code"
              maxLength={60}
              value={code}
              error={problem}
              onChange={(event) => {
                setProblem(null);
                setCode(event.currentTarget.value);
              }}
            />
            <Button type="submit" variant="default" loading={renew.isPending}>
              Make new codes
            </Button>
          </form>
        )}
      </div>
    </section>
  );
}
