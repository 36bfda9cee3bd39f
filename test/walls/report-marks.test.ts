/** Whatever changes rows that reports count marks their hour in its own transaction (decision 0024); `write_batch` does so for what it is handed. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const COUNTED = ['lead', 'lead_result', 'attempt', 'sale', 'redirect', 'lead_return', 'lead_variant'];
const WRITES = new RegExp(
  `(insertInto|updateTable|deleteFrom)\\('(${COUNTED.join('|')})'\\)|(insert into|update|delete from) (${COUNTED.join('|')}) `,
);
/** Rows that go out beside `write_batch`, in its statement. */
const BESIDE = ['server/lead/lead-beside.sql.ts'];

function sources(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => join(folder, name));
}

const writers = sources('server').filter((path) => WRITES.test(readFileSync(join(ROOT, path), 'utf8')) && !BESIDE.includes(path));

it('is looked for in files that do write', () => {
  expect(writers).toEqual(
    expect.arrayContaining([
      'server/node/interrupt-lead.ts',
      'server/redirect/redirect.sql.ts',
      'server/return/return.sql.ts',
      'server/settlement/settled-lead.sql.ts',
    ]),
  );
});

it.each(writers)('%s marks what it changes', (path) => {
  expect(readFileSync(join(ROOT, path), 'utf8')).toMatch(/markReport\(|mark_report\(/);
});
