// @vitest-environment jsdom

import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CHOICES_AT_ONCE } from '#contract/choices.ts';
import { SEARCH_DELAY_MS } from '#contract/console-constants.ts';
import { ChoiceSelect } from './ChoiceSelect.tsx';
import type { Choice, ChoiceSource } from './choices.ts';

const buyers: Choice[] = Array.from({ length: 10_000 }, (_, n) => ({ value: `id${n}`, label: `Buyer ${n}` }));
const closed: Choice = { value: 'shared', label: 'Shared Ltd', closed: 'is shared' };

let root: Root;
let asked: string[];
let named: string[];
/** What the server knows, and whether it answers. */
let known: Choice[];
let isDown: boolean;
const source: ChoiceSource = {
  key: ['buyers'],
  find: async (text) => {
    asked.push(text);
    if (isDown) throw new Error('down');
    const fit = known.filter((one) => one.label.includes(text));
    return { options: fit.slice(0, CHOICES_AT_ONCE), total: fit.length };
  },
  get: async (value) => {
    named.push(value);
    return known.find((one) => one.value === value) ?? null;
  },
};

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
  Element.prototype.scrollIntoView = () => {};
  document.body.innerHTML = '<div id="root"></div><div id="overlays"></div>';
  root = createRoot(document.getElementById('root') as HTMLElement);
  [asked, named, known, isDown] = [[], [], buyers, false];
});
afterEach(() => {
  act(() => root.unmount());
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function show(value = '', first: Choice[] = []) {
  const chosen: string[] = [];
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  await act(async () =>
    root.render(
      <QueryClientProvider client={client}>
        <MantineProvider env="test">
          <ChoiceSelect
            aria-label="Buyer"
            source={source}
            first={first}
            emptyText="No buyers found."
            value={value}
            onChange={(next) => chosen.push(next)}
          />
        </MantineProvider>
      </QueryClientProvider>,
    ),
  );
  await settle();
  return chosen;
}
const settle = (ms = 0) => act(() => vi.advanceTimersByTimeAsync(ms));
const input = () => document.querySelector<HTMLInputElement>('input[role="combobox"]') as HTMLInputElement;
const options = () => [...document.querySelectorAll('[role="option"]')].map((node) => node.textContent);
const news = () => document.querySelector('[aria-live]')?.textContent;
async function open() {
  await act(async () => input().click());
  await settle();
}
async function type(text: string) {
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input(), text);
    input().dispatchEvent(new Event('input', { bubbles: true }));
  });
}
/** Whether the key was left to the form around it. */
async function press(code: string): Promise<boolean> {
  const event = new KeyboardEvent('keydown', { key: code, code, bubbles: true, cancelable: true });
  await act(async () => void input().dispatchEvent(event));
  return !event.defaultPrevented;
}

test('nothing is asked before it is opened; then 20 of 10,000 stand there, and it says that there are more', async () => {
  await show();
  expect(asked).toEqual([]);
  await open();
  expect(asked).toEqual(['']);
  expect(options()).toHaveLength(20);
  expect(document.body.textContent).toContain('20 of 10,000. Type to narrow.');
  expect(news()).toBe('20 of 10,000. Type to narrow.');
});

test('what is typed is asked for once, 300 ms after the last key (console §2); an Enter before that waits for it', async () => {
  const chosen = await show();
  await open();
  for (const text of ['Buyer 9', 'Buyer 99', 'Buyer 999']) {
    await type(text);
    await settle(SEARCH_DELAY_MS - 1);
  }
  expect(asked).toEqual(['']);
  // Until then the old ones stand there, and are not taken in their place.
  expect(await press('Enter')).toBe(false);
  expect(chosen).toEqual([]);
  await settle(1);
  await settle();
  expect(asked).toEqual(['', 'Buyer 999']);
  expect(chosen).toEqual(['id999']);
  // Had anything been typed after it, it would be another question.
  await open();
  await type('Buyer 7');
  await press('Enter');
  await type('Buyer 77');
  await settle(SEARCH_DELAY_MS);
  await settle();
  expect(chosen).toEqual(['id999']);
  expect(news()).toBe('20 of 111. Type to narrow.');
  await press('Enter');
  expect(chosen).toEqual(['id999', 'id77']);
});

test('what is chosen stands there by its name though it is not among the 20, and stays when nothing is taken', async () => {
  const chosen = await show('id7777');
  expect([input().value, named]).toEqual(['Buyer 7777', ['id7777']]);
  await open();
  await type('nobody');
  await settle(SEARCH_DELAY_MS);
  await settle();
  expect(options()).toEqual(['No results match "nobody"']);
  expect(news()).toBe('No results match "nobody".');
  await press('Escape');
  expect([input().value, chosen]).toEqual(['Buyer 7777', []]);
  await show('never');
  expect(input().value).toBe('Not there any more');
});

test('the words of the specification for an empty list; fixed choices stand first until something is typed', async () => {
  known = [];
  await show();
  await open();
  expect(options()).toEqual(['No buyers found.']);
  expect(input().placeholder).toBe('Select...');
  act(() => root.unmount());
  root = createRoot(document.getElementById('root') as HTMLElement);
  known = buyers.slice(0, 2);
  const chosen = await show('id1', [{ value: '', label: 'Nobody' }]);
  await open();
  expect(options()).toEqual(['Nobody', 'Buyer 0', 'Buyer 1']);
  await act(async () => document.querySelector<HTMLElement>('[role="option"]')?.click());
  expect(chosen).toEqual(['']);
  await open();
  await type('Buyer');
  await settle(SEARCH_DELAY_MS);
  await settle();
  expect(options()).toEqual(['Buyer 0', 'Buyer 1']);
});

test('a list that does not come says so, and Enter asks again', async () => {
  isDown = true;
  await show();
  await open();
  expect(options()).toEqual(['This could not be loaded. Try again']);
  expect(news()).toBe('This could not be loaded. Enter tries again.');
  isDown = false;
  await press('ArrowDown');
  await press('Enter');
  await settle();
  expect(asked).toEqual(['', '']);
  expect(options()).toHaveLength(20);
});

test('one that may not be chosen says why, and is not taken', async () => {
  known = [closed];
  const chosen = await show();
  await open();
  expect(options()).toEqual(['Shared Ltd is shared']);
  await act(async () => document.querySelector<HTMLElement>('[role="option"]')?.click());
  expect(chosen).toEqual([]);
});
