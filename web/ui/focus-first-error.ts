/** So many frames a section that holds the field has to open for it. */
const MOST_FRAMES = 30;

/** Puts the cursor where the first failing field is, in page order, not in the order of the checks, as soon as it can be seen. */
export const focusFirstError = (errors: Record<string, unknown>): void => {
  let frames = 0;
  const look = () => {
    const field = [...document.querySelectorAll<HTMLElement>('[data-path]')].find((node) => errors[node.dataset.path ?? '']);
    const target = field?.matches('input,textarea,select,button')
      ? field
      : field?.querySelector<HTMLElement>('input,textarea,button,[contenteditable=true]');
    target?.focus();
    frames += 1;
    // What lies in a section that is closed still takes no focus.
    if ((!target || document.activeElement !== target) && frames < MOST_FRAMES) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
};
