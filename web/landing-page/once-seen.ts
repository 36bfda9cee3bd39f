/** Calls once somebody looks: not for a page that the browser made ahead, nor for a tab in the background before it is opened. */
export function onceSeen(page: Document, then: () => void): void {
  const look = () => {
    if (page.visibilityState === 'hidden' || (page as { prerendering?: boolean }).prerendering) return;
    for (const event of EVENTS) page.removeEventListener(event, look);
    then();
  };
  for (const event of EVENTS) page.addEventListener(event, look);
  look();
}

const EVENTS = ['visibilitychange', 'prerenderingchange'];
