import { ActionIcon } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { lazy, type MouseEvent, type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { IconMenu2 } from '#web/ui/icons.ts';
import { ReportingProvider } from '#web/ui/reporting.tsx';
import { useShortcuts } from '#web/ui/shortcuts.ts';
import { ToastRegion } from '#web/ui/ToastRegion.tsx';
import { type MenuPage, permittedPages } from '../paths.ts';
import { IdleWatch } from '../session/IdleWatch.tsx';
import { ProofWatch } from '../session/ProofWatch.tsx';
import { useTimeZone } from '../time-zone.ts';
import { GlobalSpinner } from './GlobalSpinner.tsx';
import { AddVerticalButton, QuickViewButton, ShortcutsButton, TimeZoneButton, UserButton } from './HeaderTools.tsx';
import { HelpButton } from './HelpButton.tsx';
import { useHeaderText } from './header-text.ts';
import { Logo } from './Logo.tsx';
import { LostNote } from './LostNote.tsx';
import { MenuLinks } from './MenuLinks.tsx';
import { PlaceSelects } from './PlaceSelects.tsx';
import { SchemeToggle } from './SchemeToggle.tsx';
import { usePermissionHere, usePlace, usePlaceRecords, useSetup } from './use-place.ts';
import { usePlacesWatch } from './use-places-watch.ts';
import './mantine-shell.css';
import './shell.css';

const ShortcutList = lazy(() => import('./ShortcutList.tsx').then((module) => ({ default: module.ShortcutList })));
const QuickView = lazy(() => import('../quick-view/QuickView.tsx').then((module) => ({ default: module.QuickView })));
const AddVertical = lazy(() => import('../vertical/AddVertical.tsx').then((module) => ({ default: module.AddVertical })));
const PhoneMenu = lazy(() => import('./PhoneMenu.tsx').then((module) => ({ default: module.PhoneMenu })));

/** The frame of every page behind the sign-in. */
export function Shell() {
  const { organization } = useSetup();
  const zone = useTimeZone();
  const { currency, currencyDisplay } = organization;
  const reporting = useMemo(() => ({ zone, currency, currencyDisplay }), [zone, currency, currencyDisplay]);
  const [helpIsOpen, help] = useDisclosure(false);
  const [quickViewIsOpen, quickView] = useDisclosure(false);
  const [verticalForm, setVerticalForm] = useState<{ regionId: string | undefined }>();
  // By the place of the key: with Option held, a Mac's P writes another letter. In fields too.
  useHotkeys([['alt+P', quickView.open, { usePhysicalKeys: true }]], [], true);
  const main = useRef<HTMLElement>(null);
  useMainFocus(main);
  usePlacesWatch();
  useMenuShortcuts(help.open);
  const skip = (event: MouseEvent) => {
    // A real jump to '#main' would be a new address for the hash router.
    event.preventDefault();
    main.current?.focus();
  };
  return (
    <ReportingProvider value={reporting}>
      {/* biome-ignore lint/a11y/useValidAnchor: it is a jump to an anchor, done by hand because of the hash router */}
      <a href="#main" className="skip-link" onClick={skip}>
        Skip to the page
      </a>
      <Header onHelp={help.open} onQuickView={quickView.open} onAddVertical={(regionId) => setVerticalForm({ regionId })} />
      <main id="main" ref={main} tabIndex={-1}>
        <LostNote />
        <Outlet />
      </main>
      {organization.legalFooterText && <footer className="legal-footer">{organization.legalFooterText}</footer>}
      <OnceOpened opened={helpIsOpen}>
        <ShortcutList opened={helpIsOpen} onClose={help.close} />
      </OnceOpened>
      <OnceOpened opened={quickViewIsOpen}>
        <QuickView opened={quickViewIsOpen} onClose={quickView.close} onAddVertical={(regionId) => setVerticalForm({ regionId })} />
      </OnceOpened>
      {verticalForm && (
        <Suspense>
          <AddVertical {...verticalForm} onClose={() => setVerticalForm(undefined)} />
        </Suspense>
      )}
      <ToastRegion />
      <IdleWatch />
      <ProofWatch />
      <GlobalSpinner />
    </ReportingProvider>
  );
}

interface HeaderProps {
  onHelp: () => void;
  onQuickView: () => void;
  onAddVertical: (regionId: string | undefined) => void;
}

/** The organization's own mark, or ours where it has none or it cannot be shown. */
function BrandMark({ address }: { address: string | null }) {
  const [broken, setBroken] = useState<string | null>(null);
  if (!address || address === broken) return <Logo />;
  return <img src={address} alt="" className="brand-logo" onError={() => setBroken(address)} />;
}

function Header({ onHelp, onQuickView, onAddVertical }: HeaderProps) {
  const { organization, permission } = useSetup();
  const { region } = usePlaceRecords();
  const runsOrganization = permission?.isOwner || permission?.isSuperAdmin;
  const [drawerIsOpen, drawer] = useDisclosure(false);
  return (
    <header className="header no-print" data-words={useHeaderText()}>
      <ActionIcon
        variant="transparent"
        className="header-icon header-burger"
        size={36}
        aria-label="Open the menu"
        aria-expanded={drawerIsOpen}
        onClick={drawer.open}
      >
        <IconMenu2 size={21} />
      </ActionIcon>
      <Link to="/" className="brand" aria-label={`${organization.name}, start page`}>
        <BrandMark address={organization.lightLogo || organization.logo} />
        <span className="brand-name">{organization.name}</span>
      </Link>
      <div className="header-wide">
        {!permission?.bound && (
          <span className="header-place">
            <PlaceSelects />
            {runsOrganization && <AddVerticalButton onOpen={() => onAddVertical(region?._id)} />}
          </span>
        )}
        <MenuLinks className="menu-links" label="Pages" />
      </div>
      <div className="header-tools">
        <QuickViewButton onOpen={onQuickView} />
        <span className="header-wide">
          <TimeZoneButton />
          <ShortcutsButton onOpen={onHelp} />
        </span>
        <HelpButton bound={permission?.bound ?? null} />
        <SchemeToggle />
        <UserButton />
      </div>
      <OnceOpened opened={drawerIsOpen}>
        <PhoneMenu opened={drawerIsOpen} onClose={drawer.close} onAddVertical={() => onAddVertical(region?._id)} />
      </OnceOpened>
    </header>
  );
}

/** Code that only opens on demand is fetched at its first opening, and stays. */
function OnceOpened({ opened, children }: { opened: boolean; children: ReactNode }) {
  const [wanted, setWanted] = useState(opened);
  if (opened && !wanted) setWanted(true);
  return wanted && <Suspense>{children}</Suspense>;
}

function useMenuShortcuts(openHelp: () => void) {
  const navigate = useNavigate();
  const { region, vertical } = usePlace();
  const pages = permittedPages(usePermissionHere());
  const goTo = (page: MenuPage) => () => void (vertical && navigate({ to: page.to, params: { region, vertical } }));
  useShortcuts({
    '?': openHelp,
    '/': () => document.querySelector<HTMLElement>('[data-search]')?.focus(),
    ...Object.fromEntries(pages.map((page) => [`g ${page.shortcut}`, goTo(page)])),
  });
}

/** After a page change the focus goes to the page, so that the next Tab does not start in the header; filters leave it alone. */
function useMainFocus(main: { current: HTMLElement | null }) {
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname ?? '' });
  const last = useRef('');
  useEffect(() => {
    if (last.current !== '' && last.current !== path) main.current?.focus({ preventScroll: true });
    last.current = path;
  }, [path, main]);
}
