/** The popover with the prompt of one trigger (console §2, §4, §9). */
import { HELP } from '#contract/console-constants.ts';
import type { TooltipAnswer } from '#contract/help.ts';
import { askTooltip } from './ask.ts';
import { closeButton, make, paragraphs, spinner } from './make.ts';
import { openModal } from './modal.ts';
import { chooseSide, placeBeside } from './placement.ts';
import { focused, keepFocusIn, placeFor, surfaceIn } from './surface.ts';
import type { Trigger } from './trigger.ts';

interface Shown {
  id: string;
  popover: HTMLElement;
  close(): void;
}

let shown: Shown | undefined;

export const closePopover = (): void => shown?.close();

/**
 * A second click on the same trigger does nothing while its popover is there; one on another trigger takes its place. A popover that is
 * gone with the dialog it stood in is there no longer.
 */
export async function openPopover(id: string, trigger: Trigger, click: { x: number; y: number }): Promise<void> {
  if (shown?.id === id && shown.popover.checkVisibility()) return;
  closePopover();
  const content = make('div', { class: 'text', 'aria-live': 'polite' }, spinner());
  const popover = make('div', { class: 'popover', role: 'dialog', 'aria-label': 'Help', tabindex: '-1', 'aria-busy': 'true' });
  const surface = surfaceIn(placeFor(trigger), popover);
  const listening = new AbortController();
  const close = () => {
    if (shown?.close !== close) return;
    const hadFocus = popover.contains(focused());
    shown = undefined;
    listening.abort();
    surface.remove();
    if (hadFocus) trigger.focus({ preventScroll: true });
  };
  popover.append(closeButton(close), content);
  shown = { id, popover, close };
  closeBy(popover, close, listening.signal);
  keepFocusIn(popover);
  raise(popover);
  const side = chooseSide(click, trigger.getBoundingClientRect(), windowSize());
  const place = () => {
    const { left, top } = placeBeside(side, trigger.getBoundingClientRect(), popover.getBoundingClientRect(), windowSize());
    // A page that is zoomed by its own style counts its lengths in larger pixels than the window.
    const zoom = popover.currentCSSZoom ?? 1;
    popover.style.left = `${left / zoom}px`;
    popover.style.top = `${top / zoom}px`;
  };
  place();
  popover.focus({ preventScroll: true });
  const answer = await askTooltip(id);
  if (shown?.close !== close) return;
  // A page that changes may have taken its trigger away meanwhile.
  if (!trigger.isConnected) return close();
  popover.removeAttribute('aria-busy');
  content.replaceChildren(...(answer ? promptOf(answer.data, trigger, close) : [make('p', { class: 'nothing' }, 'No Key Match.')]));
  place();
}

function promptOf({ promptText, ...tags }: TooltipAnswer['data'], trigger: Trigger, close: () => void): HTMLElement[] {
  const tagString = tagsOf(tags);
  const openMore = () => {
    close();
    openModal({ tagString }, trigger);
  };
  const more = make('button', { type: 'button', class: 'more', openMore }, 'more info');
  return [...paragraphs(promptText), ...(tagString ? [more] : [])];
}

/** All tags under which there is more, each once. */
export const tagsOf = ({
  glossaryTerms,
  keywordFaq,
  keywordKb,
}: Pick<TooltipAnswer['data'], 'glossaryTerms' | 'keywordFaq' | 'keywordKb'>): string =>
  [...new Set([...glossaryTerms, ...keywordFaq, ...keywordKb])].join(', ');

/** Console §2: any scroll, and a resized window; Escape besides, which then does nothing else. */
function closeBy(popover: HTMLElement, close: () => void, signal: AbortSignal): void {
  window.addEventListener('scroll', close, { capture: true, passive: true, signal });
  window.addEventListener('resize', () => setTimeout(close, HELP.closeAfterResizeMs), { signal });
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    if (!popover.checkVisibility()) return close();
    event.stopImmediatePropagation();
    event.preventDefault();
    close();
  };
  window.addEventListener('keydown', onKey, { capture: true, signal });
}

/** Above all else of the page, where the browser can; a large z-index otherwise. */
function raise(popover: HTMLElement): void {
  if (typeof popover.showPopover !== 'function') return;
  popover.popover = 'manual';
  popover.showPopover();
}

/** Without a bar to scroll, however the page or the person has zoomed: the root's own width would be of other pixels. */
function windowSize(): { width: number; height: number } {
  const seen = window.visualViewport;
  return { width: seen ? seen.width * seen.scale : document.documentElement.clientWidth, height: window.innerHeight };
}
