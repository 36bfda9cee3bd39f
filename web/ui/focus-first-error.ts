/** Puts the cursor where the first failing field is, in page order, not in the order of the checks. */
export const focusFirstError = (errors: Record<string, unknown>): void => {
  requestAnimationFrame(() => {
    const field = [...document.querySelectorAll<HTMLElement>('[data-path]')].find((node) => errors[node.dataset.path ?? '']);
    const target = field?.matches('input,textarea,select,button')
      ? field
      : field?.querySelector<HTMLElement>('input,textarea,button,[contenteditable=true]');
    target?.focus();
  });
};
