import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { IconChartBar, IconCheck, IconLock } from '#web/ui/icons.ts';
import { sessionQuery } from '../api/session.ts';
import { HelpButton } from '../shell/HelpButton.tsx';
import { Logo } from '../shell/Logo.tsx';
import { SchemeToggle } from '../shell/SchemeToggle.tsx';
import { WaterPicture } from './AccountFrame.tsx';
import { Notice, PageNote } from './FormAlert.tsx';
import { invitationResult } from './landing-search.ts';
import { takeNotice } from './notice.ts';
import { turnScreenNumber } from './screen-number.ts';
import { useReloadSignedOut } from './use-reload-signed-out.ts';
import './sign-in.css';
import './landing.css';

const SignInModal = lazy(() => import('./SignInModal.tsx').then((module) => ({ default: module.SignInModal })));

/** Where the signed-out arrive (account §2): what this is, what became of an invitation, and the way in. */
export function Landing() {
  const search = getRouteApi('/').useSearch();
  const navigate = useNavigate();
  const [number] = useState(turnScreenNumber);
  const [notice] = useState(takeNotice);
  const result = search.isInvitationSuccess && invitationResult[search.isInvitationSuccess];
  const isSignedIn = useQuery(sessionQuery).data?.status === true;
  useReloadSignedOut();
  const open = (isOpen: boolean) => void navigate({ to: '/', search: { ...search, isOpenLoginModal: isOpen || undefined }, replace: true });
  return (
    <div className="sign-in landing" data-water={number}>
      <title>Sluice · lead distribution</title>
      <WaterPicture number={number} />
      <header className="landing-bar">
        <span className="sign-in-name">
          <Logo size={30} /> Sluice
        </span>
        <HelpButton />
        <SchemeToggle />
        {!isSignedIn && (
          <Button variant="white" onClick={() => open(true)}>
            Sign in
          </Button>
        )}
      </header>
      <main className="landing-main">
        {!search.isOpenLoginModal && <Notice notice={notice} />}
        {result && <PageNote>{result}</PageNote>}
        <h1>Every lead finds its channel, and every decision is explained.</h1>
        <p className="landing-lead">
          Sluice takes leads from publishers, walks them through your ping trees, sells each to the buyer that fits best, and tells you why.
        </p>
        <p className="landing-actions">
          {isSignedIn ? (
            <Button size="lg" variant="white" component="a" href="/">
              Open the console
            </Button>
          ) : (
            <>
              <Button size="lg" variant="white" onClick={() => open(true)}>
                Sign in
              </Button>
              <Link to="/register" className="landing-register">
                Register an organization
              </Link>
            </>
          )}
        </p>
        <ul className="landing-facts">
          <Fact icon={<IconCheck size={20} aria-hidden />} title="One line per buyer">
            Cap, hour, filter or bid: for every buyer that did not get a lead you read what decided.
          </Fact>
          <Fact icon={<IconChartBar size={20} aria-hidden />} title="Caps that hold">
            Counted in the database, over all nodes and at any load: never one lead over.
          </Fact>
          <Fact icon={<IconLock size={20} aria-hidden />} title="Yours">
            Open source, on your own machines. Consumers’ data is sealed and shown masked.
          </Fact>
        </ul>
      </main>
      {search.isOpenLoginModal && (
        <Suspense>
          <SignInModal notice={notice} email={search.email} next={search.next} onClose={() => open(false)} />
        </Suspense>
      )}
    </div>
  );
}

function Fact({ icon, title, children }: { icon: ReactNode; title: string; children: string }) {
  return (
    <li>
      <strong>
        {icon} {title}
      </strong>
      <span>{children}</span>
    </li>
  );
}
