// @vitest-environment jsdom

import { MantineProvider } from '@mantine/core';
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SEARCH_DELAY_MS } from '#contract/console-constants.ts';
import { SelectSearch } from './SelectSearch.tsx';

let root: Root;
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
  document.body.innerHTML = '<div id="root"></div><div id="overlays"></div>';
  root = createRoot(document.getElementById('root') as HTMLElement);
});
afterEach(() => {
  act(() => root.unmount());
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const show = (options: { value: string; label: string }[]) =>
  act(() =>
    root.render(
      <MantineProvider env="test">
        <SelectSearch aria-label="Vertical" options={options} emptyText="No verticals found." value={null} />
      </MantineProvider>,
    ),
  );
const input = () => document.querySelector<HTMLInputElement>('input[aria-label="Vertical"]') as HTMLInputElement;
const optionTexts = () => [...document.querySelectorAll('[role="option"]')].map((node) => node.textContent);
const type = (text: string) =>
  act(() => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input(), text);
    input().dispatchEvent(new Event('input', { bubbles: true }));
  });

test('the custom select speaks the words of the specification', () => {
  show([]);
  expect(input().placeholder).toBe('Select...');
  act(() => input().focus());
  act(() => input().click());
  expect(optionTexts()).toEqual(['No verticals found.']);
});

test('the search waits 300 ms, then says what it did not find', () => {
  show([
    { value: 'payday', label: 'Payday loans' },
    { value: 'auto', label: 'Auto insurance' },
  ]);
  act(() => input().focus());
  act(() => input().click());
  type('auto');
  expect(optionTexts()).toHaveLength(2);
  act(() => vi.advanceTimersByTime(SEARCH_DELAY_MS));
  expect(optionTexts()).toEqual(['Auto insurance']);
  type('boat');
  act(() => vi.advanceTimersByTime(SEARCH_DELAY_MS));
  expect(optionTexts()).toEqual(['No results match "boat"']);
});
