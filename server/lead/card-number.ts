/**
 * A whole card number in a field for a BIN: from here on only its first eight digits are known. Cut before the lead is hashed, stored, logged or sent
 * anywhere, in the field and wherever else the call repeats it.
 */

const BIN_DIGITS = 8;

export interface PostedCall {
  fields: Record<string, unknown>;
  body: Buffer;
}

export function dropCardNumber(binField: string, { fields, body }: PostedCall): PostedCall {
  const sent = Object.hasOwn(fields, binField) ? fields[binField] : undefined;
  const text = typeof sent === 'object' && sent !== null ? JSON.stringify(sent) : String(sent ?? '');
  const digits = digitsOf(text);
  if (digits.length <= BIN_DIGITS) return { fields, body };
  // What is no card number stays wrong without the rest of it.
  const isCard = typeof sent !== 'object' && /^\s*\d(?:[\s-]*\d){11,18}\s*$/.test(text);
  const cut = `${digits.slice(0, BIN_DIGITS)}${isCard ? '' : '…'}`;
  const kept = Object.entries(fields).map(([name, value]) => [name, name === binField || repeats(value, digits) ? cut : value]);
  return { fields: Object.assign(Object.create(null), Object.fromEntries(kept)), body: Buffer.from(cutBody(body, text, digits, cut)) };
}

/** Of a body that could not be read: whatever is as long as a card number. */
export function dropLongNumbers(body: Buffer): Buffer {
  const text = body.toString('utf8');
  const cut = text.replace(/\d(?:[\s+-]?\d){11,18}/g, (number) => `${digitsOf(number).slice(0, BIN_DIGITS)}…`);
  return cut === text ? body : Buffer.from(cut);
}

const digitsOf = (text: string): string => text.replace(/\D/g, '');

const repeats = (value: unknown, digits: string): boolean =>
  value !== null && value !== undefined && digitsOf(typeof value === 'object' ? JSON.stringify(value) : String(value)).includes(digits);

/** The call as it came, without the number; not at all where the number is spelled so that it cannot be found. */
function cutBody(body: Buffer, text: string, digits: string, cut: string): string {
  const whole = body.toString('utf8');
  const spelled = [text, encodeURIComponent(text), encodeURIComponent(text).replaceAll('%20', '+'), digits].filter(Boolean);
  const found = spelled.reduce((rest, one) => rest.replaceAll(one, cut), whole);
  const isGone = found !== whole && !digitsOf(found).includes(digits);
  return isGone ? found : `(${body.length} bytes, not kept: they hold a card number spelled with escapes)`;
}
