import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { confirmMfaReset } from '../api/account.ts';
import { AccountFrame } from './AccountFrame.tsx';
import { AskMfaReset } from './AskByEmail.tsx';
import { FormAlert, PageNote } from './FormAlert.tsx';

/** Asks for the link or, with the link's token, for the confirmation: opening a link alone changes nothing. */
export function ResetMfa() {
  const { token } = getRouteApi('/reset-mfa').useSearch();
  return token ? <ConfirmReset token={token} /> : <AskMfaReset />;
}

function ConfirmReset({ token }: { token: string }) {
  const confirm = useMutation({ mutationFn: () => confirmMfaReset(token) });
  return (
    <AccountFrame title="Reset two-factor sign-in">
      <h1>Reset two-factor sign-in</h1>
      {confirm.error && <FormAlert key={confirm.submittedAt} error={confirm.error} onHide={confirm.reset} />}
      {confirm.data ? (
        <PageNote>{confirm.data.msg}</PageNote>
      ) : (
        <>
          <p className="sign-in-lead">
            Your authenticator and recovery codes stop working, all your sessions end, and the next sign-in sets up a new authenticator.
          </p>
          <Button size="md" fullWidth loading={confirm.isPending} onClick={() => confirm.mutate()}>
            Reset it
          </Button>
        </>
      )}
      <p className="sign-in-links">
        <Link to="/login" search={{}} className="link">
          Back to signing in
        </Link>
      </p>
    </AccountFrame>
  );
}
