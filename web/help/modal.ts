/** The modal with glossary and questions (console §2, §4). */
import { fillLists } from './lists.ts';
import { closeButton, make } from './make.ts';
import { placeFor, surfaceIn } from './surface.ts';
import type { Trigger } from './trigger.ts';

export interface MoreHelp {
  /** What is still asked for is waited for behind the spinner. */
  tagString: string | Promise<string>;
  projectId?: string;
  /** Stands behind HELP in the header. */
  title?: string;
}

let open: HTMLDialogElement | undefined;

/** One at a time. Closed by its button or Escape; the focus goes back to `from`. */
export function openModal({ tagString, projectId, title }: MoreHelp, from: Trigger | null): void {
  open?.close();
  const content = make('div', { class: 'content', tabindex: '0', role: 'region', 'aria-label': 'Glossary and questions' });
  const modal = make(
    'dialog',
    { class: 'modal', 'aria-labelledby': 'title' },
    make(
      'div',
      { class: 'head' },
      heading(title),
      closeButton(() => modal.close()),
    ),
    content,
  );
  const surface = surfaceIn(placeFor(from), modal);
  modal.addEventListener('close', () => {
    surface.remove();
    if (open === modal) open = undefined;
    from?.focus({ preventScroll: true });
  });
  // Escape is for this alone, not for what the page has open beneath.
  modal.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') event.stopPropagation();
  });
  open = modal;
  modal.showModal();
  void fillLists(content, tagString, projectId);
}

function heading(title: string | undefined): HTMLElement {
  const text = make('h2', { id: 'title' }, 'HELP');
  if (title) text.append(' ', make('span', {}, title));
  return text;
}
