import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import './page-tabs.css';

/** Tabs of the second level. The one that opens comes into sight, however far the bar was scrolled. */
export function TabBar({ label, children }: { label: string; children: ReactNode }) {
  const ref = useRef<HTMLElement>(null);
  const router = useRouter();
  useEffect(() => {
    const bar = ref.current!;
    const show = () => {
      const open = bar.querySelector('[aria-current="page"]');
      if (open) bar.scrollLeft += overhang(open.getBoundingClientRect(), bar.getBoundingClientRect());
    };
    show();
    // The router puts the bar back to where it stood before, and then tells.
    return router.subscribe('onRendered', show);
  }, [router]);
  return (
    <nav ref={ref} className="page-tabs no-print" aria-label={label}>
      {children}
    </nav>
  );
}

/** By how many pixels the inner box stands out to the right; below 0 to the left. */
function overhang(inner: DOMRect, outer: DOMRect): number {
  if (inner.left < outer.left) return inner.left - outer.left;
  return Math.max(0, inner.right - outer.right);
}
