import { Loader } from '@mantine/core';
import { useState } from 'react';
import type { MfaAnswer, SignInAnswer, SignInStep } from '../api/account.ts';
import { message } from '../message.ts';
import { withNext } from '../next-page.ts';
import { CodeForm, QrForm } from './CodeForm.tsx';
import { CredentialsForm } from './CredentialsForm.tsx';
import { enterConsole } from './enter-console.ts';
import { OrganizationList } from './OrganizationList.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';

/** Account §2, §4: credentials, then the picture and a code or a code alone, then perhaps a choice, then the console. */
type View =
  | { name: 'credentials' }
  | { name: 'qr'; qrCode: string; secret: string }
  | { name: 'code' }
  | { name: 'recoveryCodes'; codes: string[]; step: SignInStep }
  | { name: 'organizations'; organizations: SignInStep['organizations'] }
  | { name: 'opening' };

const heading: Record<View['name'], string> = {
  credentials: 'Sign in',
  qr: 'Set up two-factor sign-in',
  code: 'Two-factor sign-in',
  recoveryCodes: 'Recovery codes',
  organizations: 'Choose an organization',
  opening: 'Opening your console',
};

/** `as`: the heading's level where these steps stand. */
export function SignInSteps({ email, next, as: Heading }: { email: string | undefined; next: string | undefined; as: 'h1' | 'h2' }) {
  const [view, setView] = useState<View>({ name: 'credentials' });
  const over = () => setView({ name: 'credentials' });
  const goOn = (step: SignInStep) => {
    if (step.redirectUrl) {
      setView({ name: 'opening' });
      window.location.assign(withNext(step.redirectUrl, next));
    } else {
      setView({ name: 'opening' });
      void enterConsole(next).catch(over);
    }
  };
  /** Who has several organizations and no way yet chooses one first. */
  const choose = (step: SignInStep & { userToken?: string }) =>
    step.organizations.length > 1 && !step.redirectUrl ? setView({ name: 'organizations', organizations: step.organizations }) : goOn(step);
  const afterPassword = (answer: SignInAnswer) => {
    if (answer.Qrstatus === '1') setView({ name: 'qr', qrCode: answer.qrCode, secret: answer.secret });
    else if (answer.Qrstatus === '2') setView({ name: 'code' });
    else choose(answer);
  };
  const afterSetUp = (answer: MfaAnswer) => setView({ name: 'recoveryCodes', codes: answer.recoveryCodes, step: answer });
  return (
    <section className="sign-in-steps" aria-live="polite">
      <Heading>{heading[view.name]}</Heading>
      {view.name === 'credentials' && <CredentialsForm email={email} onDone={afterPassword} />}
      {view.name === 'qr' && <QrForm qrCode={view.qrCode} secret={view.secret} onDone={afterSetUp} onOver={over} />}
      {view.name === 'code' && <CodeForm onDone={choose} onOver={over} />}
      {view.name === 'recoveryCodes' && <RecoveryCodes codes={view.codes} action="Go on" onKept={() => choose(view.step)} />}
      {view.name === 'organizations' && <OrganizationList organizations={view.organizations} onDone={goOn} />}
      {view.name === 'opening' && (
        <p className="sign-in-lead sign-in-opening" role="status">
          <Loader size="sm" /> {message('userLoggedInSuccess')}
        </p>
      )}
    </section>
  );
}
