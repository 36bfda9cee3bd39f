/**
 * The script of a landing page, for pages that are not ours: counts a view of the page it stands on, and a form sent there. It sets no cookie,
 * stores nothing, sends nothing of the person or of the page's address, and says nothing when it cannot.
 *
 *   <script async src="https://sluice.example/landing/sluice-page.js" data-page="…"></script>
 *
 * A form with the attribute `data-sluice-submit` counts when it is sent; a page that sends in a way of its own calls `sluicePage.submit()`.
 */
import { countOnce } from './count-once.ts';
import { onSubmit } from './on-submit.ts';
import { onceSeen } from './once-seen.ts';
import { ownScript } from './own-script.ts';

declare global {
  interface Window {
    sluicePage?: { submit: () => void };
  }
}

try {
  const own = ownScript(document);
  // A page that holds it twice is still seen once.
  if (own && !(window.sluicePage?.submit instanceof Function)) {
    const count = countOnce(own, (url, init) => fetch(url, init));
    window.sluicePage = { submit: () => count('submit') };
    onceSeen(document, () => count('view'));
    onSubmit(document, () => count('submit'));
  }
} catch {
  // It is the page of somebody else: whatever is odd there is not made worse.
}
