/** Where the links of a description lead: places of the web, mail and the telephone. The editor and the sanitiser are of one mind. */
const SCHEME = /^(https?|mailto|tel):/i;
const HOST = /^[\w-]+(\.[\w-]+)+(:\d+)?([/?#]|$)/;
const E_MAIL = /^[^\s@:/?#]+@[\w-]+(\.[\w-]+)+$/;

/** `harbour.example/loans` means a place on the web, not one beside our page. Undefined for what no link may lead to. */
export function linkAddress(typed: string): string | undefined {
  const text = typed.trim();
  if (E_MAIL.test(text)) return `mailto:${text}`;
  if (HOST.test(text)) return `https://${text}`;
  return SCHEME.test(text) || /^\/(?!\/)/.test(text) ? text : undefined;
}
