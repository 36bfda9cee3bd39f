/** Where help is drawn: in a tree of its own that no style of the page reaches, on the layer above everything. */
import { LOOK } from './look.ts';

let look: CSSStyleSheet | undefined;

/** Constructed: a content policy that allows no inline style has nothing against it. */
function sheet(): CSSStyleSheet {
  if (!look) {
    look = new CSSStyleSheet();
    look.replaceSync(LOOK);
  }
  return look;
}

/** An element in `parent` with what is shown in its shadow; taking the element away ends it. */
export function surfaceIn(parent: Element, shown: HTMLElement, isInline = false): HTMLElement {
  const surface = document.createElement('sluice-help');
  if (isInline) surface.setAttribute('inline', '');
  const shadow = surface.attachShadow({ mode: 'open' });
  shadow.adoptedStyleSheets = [sheet()];
  shadow.append(shown);
  parent.append(surface);
  return surface;
}

/** A trigger in an open dialog is answered inside it, through every shadow: all else is out of reach meanwhile. Otherwise not the body, which pages like to transform. */
export function placeFor(trigger: Element | null): Element {
  const dialog = trigger?.closest('dialog[open]');
  if (dialog) return dialog;
  const root = trigger?.getRootNode();
  return root instanceof ShadowRoot ? placeFor(root.host) : document.documentElement;
}

/** What has the focus, through every shadow. */
export function focused(): Element | null {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element;
}

const FOCUSABLE = 'button:not([disabled]), [tabindex="0"]';

/** Tab goes round in what is shown: behind it stands the end of the page, where nobody finds back. */
export function keepFocusIn(shown: HTMLElement): void {
  shown.addEventListener('keydown', (event) => {
    if (event.key !== 'Tab') return;
    const stops = [...shown.querySelectorAll<HTMLElement>(FOCUSABLE)].filter((one) => one.getClientRects().length > 0);
    const last = event.shiftKey ? stops[0] : stops.at(-1);
    const at = focused();
    if (at !== last && !(at === shown && event.shiftKey)) return;
    event.preventDefault();
    (event.shiftKey ? stops.at(-1) : stops[0])?.focus({ preventScroll: true });
  });
}
