/** The testing lab below region and vertical (product.md, key 27), and the page of the eligibility checker, which a token alone opens. */
import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { onlyMeant } from '../only-meant.ts';
import { Waiting } from '../shell/Waiting.tsx';

export interface SendSearch {
  /** The publisher tier that sends. */
  tier?: string;
  /** Filled from a sample lead, or from a lead that came before. */
  sample?: string;
  lead?: string;
}

const idOf = (raw: unknown): string | undefined => (typeof raw === 'string' && /^[0-9a-f-]{36}$/.test(raw) ? raw : undefined);

export function readSendSearch(raw: Record<string, unknown>): SendSearch {
  const [tier, sample, lead] = [idOf(raw.tier), idOf(raw.sample), idOf(raw.lead)];
  return { ...(tier && { tier }), ...(lead ? { lead } : sample && { sample }) };
}

const samplePage = lazyRouteComponent(() => import('./SamplePage.tsx'), 'SamplePage');

export const labRoutes = <Parent extends AnyRoute>(parent: Parent) =>
  [
    createRoute({
      getParentRoute: () => parent,
      path: '/testing-lab',
      validateSearch: onlyMeant(readSendSearch),
      component: lazyRouteComponent(() => import('./SendPage.tsx'), 'SendPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/testing-lab/samples',
      component: lazyRouteComponent(() => import('./SamplesPage.tsx'), 'SamplesPage'),
    }),
    createRoute({ getParentRoute: () => parent, path: '/testing-lab/samples/new', component: samplePage }),
    createRoute({ getParentRoute: () => parent, path: '/testing-lab/samples/$id', component: samplePage }),
    createRoute({
      getParentRoute: () => parent,
      path: '/testing-lab/replay',
      validateSearch: onlyMeant((raw): { campaign?: string } => {
        const campaign = idOf(raw.campaign);
        return campaign ? { campaign } : {};
      }),
      component: lazyRouteComponent(() => import('./ReplaysPage.tsx'), 'ReplaysPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/testing-lab/replay/$replayId',
      component: lazyRouteComponent(() => import('./ReplayPage.tsx'), 'ReplayPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/testing-lab/eligibility',
      component: lazyRouteComponent(() => import('./EligibilityPage.tsx'), 'EligibilityPage'),
    }),
  ] as const;

/** Console §2: reached by its token, without the header, signed in or not. */
export const checkerRoute = <Parent extends AnyRoute>(parent: Parent) =>
  createRoute({
    getParentRoute: () => parent,
    path: '/eligibility-checker-tool/$token',
    component: lazyRouteComponent(() => import('./EligibilityChecker.tsx'), 'EligibilityChecker'),
    pendingComponent: Waiting,
  });
