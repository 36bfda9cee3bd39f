/** The market's own books: one line per lead it bought, on disk before the answer leaves. The oracle of delivery tests. */
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';

/** `price` in US dollars, '12.50'. No consumer data. */
export interface LedgerLine {
  character: string;
  buyerSlug: string;
  leadId: string;
  price: string;
}
export interface Ledger {
  write(line: LedgerLine): void;
  close(): void;
}

export function openLedger(path: string): Ledger {
  const file = openSync(path, 'a');
  return {
    write(line) {
      writeSync(file, `${JSON.stringify(line)}\n`);
      fsyncSync(file);
    },
    close: () => closeSync(file),
  };
}

export function readLedger(path: string): LedgerLine[] {
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as LedgerLine);
}
