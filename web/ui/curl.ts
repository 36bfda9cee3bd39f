const shellQuote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** A call as a line for the shell. What was masked on the wire view stays masked here. */
export function toCurl(call: { method: string; url: string; headers: Record<string, string>; body: string }): string {
  const parts = [`curl -X ${call.method} ${shellQuote(call.url)}`];
  for (const [name, value] of Object.entries(call.headers)) {
    if (!/^(content-length|host|connection)$/i.test(name)) parts.push(`-H ${shellQuote(`${name}: ${value}`)}`);
  }
  if (call.body !== '') parts.push(`--data-raw ${shellQuote(call.body)}`);
  return parts.join(' \\\n  ');
}
