/** Elements without markup: nothing of what the help shows is ever read as HTML, whatever stands in it. */
type Attributes = Record<string, string | boolean | (() => void)>;

/** A function becomes the click; `true` an attribute without a value; `false` none. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener('click', value);
    else if (value !== false) element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children);
  return element;
}

/** An empty line begins a paragraph; a line break stays one. */
export const paragraphs = (text: string): HTMLElement[] =>
  text
    .split(/\n\s*\n/)
    .filter((part) => part.trim() !== '')
    .map((part) => make('p', {}, part.trim()));

export const spinner = (): HTMLElement => make('div', { class: 'wait', role: 'status' }, make('span', { class: 'read-only' }, 'Loading'));

export const closeButton = (onClose: () => void): HTMLElement =>
  make('button', { type: 'button', class: 'close', 'aria-label': 'Close the help', onClose }, make('span', { 'aria-hidden': 'true' }, '×'));
