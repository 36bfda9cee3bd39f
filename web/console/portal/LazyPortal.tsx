import { lazy, Suspense } from 'react';
import type { PortalKind } from '#contract/portal.ts';
import { SkeletonLines } from '#web/ui/states.tsx';

const Loaded = lazy(() => import('./Portal.tsx').then((module) => ({ default: module.Portal })));

/** Fetched by members of a portal alone. */
export function Portal({ kind }: { kind: PortalKind }) {
  return (
    <Suspense
      fallback={
        <div className="page">
          <SkeletonLines count={8} height={22} />
        </div>
      }
    >
      <Loaded kind={kind} />
    </Suspense>
  );
}
