/** Help triggers: elements of any page with the attribute `data-sluice-help`, whose value is a JSON object with an `id`. */
import { askTooltip } from './ask.ts';
import { openModal } from './modal.ts';
import { closePopover, openPopover, tagsOf } from './popover.ts';

const ATTRIBUTE = 'data-sluice-help';
const CHOSEN = `[${ATTRIBUTE}]`;

interface TriggerConfig {
  id: string;
  /** The modal opens at once, without the popover. */
  helpSDk?: boolean;
}

/** Undefined after the console was told (console §5). */
function readTrigger(trigger: Element): TriggerConfig | undefined {
  try {
    const config: unknown = JSON.parse(trigger.getAttribute(ATTRIBUTE) ?? '');
    if (typeof config === 'object' && config !== null && 'id' in config && typeof config.id === 'string' && config.id !== '')
      return { id: config.id, helpSDk: 'helpSDk' in config && config.helpSDk === true };
  } catch {
    // Told below, as for any other value that is no object.
  }
  tellIncorrect();
  return undefined;
}

/** Console §5, §8. */
export const tellIncorrect = (): void => console.log('Provided configuration is incorrect, must be object');

/** What may be a trigger: a drawn icon as well. */
export type Trigger = HTMLElement | SVGElement;

const isTrigger = (one: EventTarget): one is Trigger => (one instanceof HTMLElement || one instanceof SVGElement) && one.matches(CHOSEN);
const triggerOf = (event: Event): Trigger | undefined => event.composedPath().find(isTrigger);

/** Triggers of now and later, wherever they come from; a page that keeps clicks to itself does not keep them from here. */
export function watchTriggers(): void {
  document.addEventListener('click', onClick, true);
  document.addEventListener('keydown', onKey, true);
  const watch = new MutationObserver((changes) => {
    for (const { addedNodes, target } of changes) {
      reach(target);
      for (const node of addedNodes) for (const trigger of within(node)) reach(trigger);
    }
  });
  watch.observe(document.documentElement, { subtree: true, childList: true, attributes: true, attributeFilter: [ATTRIBUTE] });
  for (const trigger of within(document.documentElement)) reach(trigger);
}

const within = (node: Node): Element[] => (node instanceof Element ? [node, ...node.querySelectorAll(CHOSEN)] : []);

/** What no key reaches becomes a button. */
function reach(node: Node): void {
  if (!isTrigger(node) || node.tabIndex >= 0) return;
  node.setAttribute('tabindex', '0');
  if (!node.hasAttribute('role')) node.setAttribute('role', 'button');
}

function onClick(event: MouseEvent): void {
  const trigger = triggerOf(event);
  if (!trigger || trigger.matches(':disabled')) return;
  const config = readTrigger(trigger);
  if (!config) return;
  // A link leads nowhere and a form is not sent: the click was for help.
  event.preventDefault();
  const { left, top, width, height } = trigger.getBoundingClientRect();
  // A key clicks at no place.
  const click = event.detail === 0 ? { x: left + width / 2, y: top + height / 2 } : { x: event.clientX, y: event.clientY };
  if (config.helpSDk) {
    closePopover();
    openModal({ tagString: askTags(config.id) }, trigger);
  } else void openPopover(config.id, trigger, click);
}

async function askTags(id: string): Promise<string> {
  const answer = await askTooltip(id);
  return answer ? tagsOf(answer.data) : '';
}

function onKey(event: KeyboardEvent): void {
  const trigger = triggerOf(event);
  if (!trigger || trigger !== event.target || !['Enter', ' '].includes(event.key) || event.repeat) return;
  // Buttons and links click by themselves.
  if (trigger.matches('button, a[href], input, select, textarea, summary')) return;
  event.preventDefault();
  trigger.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, composed: true }));
}
