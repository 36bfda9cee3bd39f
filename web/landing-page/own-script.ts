export interface OwnScript {
  /** Where it came from, and so where its counts go. */
  origin: string;
  pageId: string;
}

/** What the line says that the page holds; undefined where it names no page. A page may hide `currentScript`, by a module or an element of that name. */
export function ownScript(page: Document): OwnScript | undefined {
  const current = page.currentScript;
  const script =
    current instanceof HTMLScriptElement
      ? current
      : page.querySelector<HTMLScriptElement>('script[data-page][src*="/landing/sluice-page.js"]');
  const pageId = script?.getAttribute('data-page')?.trim();
  return script && pageId ? { origin: new URL(script.src).origin, pageId } : undefined;
}
