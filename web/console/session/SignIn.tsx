import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { AccountFrame } from './AccountFrame.tsx';
import { Notice } from './FormAlert.tsx';
import { takeNotice } from './notice.ts';
import { SignInSteps } from './SignInSteps.tsx';

export function SignIn() {
  const { next, email } = getRouteApi('/login').useSearch();
  const [notice] = useState(takeNotice);
  return (
    <AccountFrame title="Sign in">
      <Notice notice={notice} />
      <SignInSteps email={email} next={next} as="h1" />
    </AccountFrame>
  );
}
