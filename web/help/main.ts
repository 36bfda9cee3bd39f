/** The in-page help, for any page: `<script src="…/help/sluice-help.js" defer></script>` (console §2, §4, §9). docs/help.md says how it is embedded. */
import { HELP } from '#contract/console-constants.ts';
import { fillLists } from './lists.ts';
import { make } from './make.ts';
import { type MoreHelp, openModal } from './modal.ts';
import { closePopover } from './popover.ts';
import { focused, surfaceIn } from './surface.ts';
import { tellIncorrect, watchTriggers } from './trigger.ts';

/** Console §3, "Help init data". Inline help stands in `element`. */
export interface HelpInit extends MoreHelp {
  tagString: string;
  displayType: 'modal' | 'inline';
  element?: Element;
}

export interface SluiceHelp {
  init(init: HelpInit): void;
  /** For pages that change without being loaded anew. */
  close(): void;
}

declare global {
  interface Window {
    SluiceHelp?: SluiceHelp;
  }
}

function init(given: HelpInit): void {
  if (!isHelpInit(given)) {
    tellIncorrect();
    return;
  }
  const { displayType, element, ...more } = given;
  const from = focused();
  if (element && displayType === 'inline') showInline(element, more);
  else openModal(more, from instanceof HTMLElement ? from : null);
}

/** Pages of others call this: anything may come. */
function isHelpInit(given: unknown): given is HelpInit {
  if (typeof given !== 'object' || given === null) return false;
  const { tagString, displayType, element } = given as Partial<HelpInit>;
  return typeof tagString === 'string' && (displayType === 'modal' || (displayType === 'inline' && element instanceof Element));
}

function showInline(element: Element, { tagString, projectId, title }: MoreHelp): void {
  const lists = make('div', {});
  const inline = make('div', { class: 'inline' }, ...(title ? [make('h2', {}, title)] : []), lists);
  for (const earlier of element.querySelectorAll(':scope > sluice-help')) earlier.remove();
  surfaceIn(element, inline, true);
  void fillLists(lists, tagString, projectId);
}

function start(): void {
  // Embedded twice, it works once.
  if (window.SluiceHelp) return;
  window.SluiceHelp = { init, close: closePopover };
  watchTriggers();
  document.dispatchEvent(new Event('sluice-help-ready'));
}

/** Console §9: 2000 ms after the page has loaded; at once where that is longer ago. */
function startInTime(): void {
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const since = page ? performance.now() - page.loadEventEnd : 0;
  setTimeout(start, Math.max(0, HELP.startAfterMs - since));
}

if (document.readyState === 'complete') startInTime();
else window.addEventListener('load', () => setTimeout(startInTime), { once: true });
