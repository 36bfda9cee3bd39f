/** Buyers and forms spell booleans in many ways; this is the one list. */
const yes = new Set(['true', 't', '1', 'y', 'yes', 'on', 'ok', 'success']);
const no = new Set(['false', 'f', '0', 'n', 'no', 'off', 'nok', 'failure', 'failed']);

/** Undefined when the word is neither. Only for places that are known to be boolean. */
export function readBoolean(text: string): boolean | undefined {
  const word = text.trim().toLowerCase();
  if (yes.has(word)) return true;
  return no.has(word) ? false : undefined;
}
