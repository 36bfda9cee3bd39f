/** The server tells a list only the fields that are asked for: what a line reads besides must be named by its spec. */
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it, vi } from 'vitest';
import type { RecordRow } from '../api/record.ts';
import * as listSpecs from '../lists/list-specs.tsx';
import { promotions } from '../promotion/promotion-spec.tsx';
import type { ListSpec } from './RecordList.tsx';
import * as specs from './specs.tsx';

vi.mock('#web/ui/use-now.ts', () => ({ useNow: () => 0 }));
vi.mock('./VerticalName.tsx', () => ({ VerticalName: ({ id }: { id: unknown }) => String(id) }));

const isSpec = (one: unknown): one is ListSpec => typeof one === 'object' && one !== null && 'model' in one && 'columns' in one;
const all = [...Object.entries(specs), ...Object.entries(listSpecs), ['promotions', promotions] as const].filter(
  (entry): entry is [string, ListSpec] => isSpec(entry[1]),
);

/** Values that lead a line to say as much as it can. */
const FULL: Record<string, unknown> = {
  updatedAt: '2026-11-28T12:00:00Z',
  price: { kind: 'fixed', price: '1' },
  priceModel: { kind: 'fixed', price: '1' },
  caps: [],
  balance: '1',
  extraPaid: '1',
  moneyCap: '2',
  leadCap: 3,
  soldLeads: 1,
  fromOn: '2026-11-01',
  toOn: '2026-11-30',
  phase: 'on',
  raise: { kind: 'percent', percent: '5' },
  target: { kind: 'campaign' },
  holds: 'text',
  form: 'md5',
};

describe('console §3: a list asks for every field that its lines read', () => {
  it.each(all)('%s', (_, { columns, also = [], removal }) => {
    const asked = new Set(['_id', ...columns.map((one) => one.field), ...also, ...(removal === 'delete' ? [] : ['status'])]);
    const read = new Set<string>();
    const row = new Proxy(
      { _id: 'id' },
      {
        get(_target, field) {
          if (typeof field === 'string') read.add(field);
          return typeof field === 'string' ? (FULL[field] ?? 'x') : undefined;
        },
      },
    ) as RecordRow;
    for (const { cell } of columns) if (cell) renderToStaticMarkup(cell(row));
    expect([...read].filter((field) => !asked.has(field))).toEqual([]);
  });
});
