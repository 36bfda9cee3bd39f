/** Calls when a form is sent that is marked with `data-sluice-submit`; its fields may be called anything, and the page may keep the event to itself. */
export function onSubmit(page: Document, then: () => void): void {
  page.addEventListener(
    'submit',
    (event) => {
      const form = event.composedPath()[0];
      if (form instanceof Element && Element.prototype.hasAttribute.call(form, 'data-sluice-submit')) then();
    },
    true,
  );
}
