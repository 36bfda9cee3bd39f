// @vitest-environment jsdom

import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, type ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ExportDialog } from '../console/data-request/ExportDialog.tsx';
import { Unmask } from '../console/log/Unmask.tsx';
import { isReason, ReasonField } from './ReasonField.tsx';

const WARNING = 'Do not name the person here: this is kept.';
let root: Root;

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
});
afterEach(() => act(() => root.unmount()));

async function show(what: ReactNode): Promise<void> {
  const box = document.createElement('div');
  document.body.replaceChildren(box);
  root = createRoot(box);
  await act(async () =>
    root.render(
      <QueryClientProvider client={new QueryClient()}>
        <MantineProvider env="test">{what}</MantineProvider>
      </QueryClientProvider>,
    ),
  );
}

/** As a screen reader says it after the field's name. */
function descriptionOf(input: HTMLInputElement): string {
  const ids = input.getAttribute('aria-describedby')?.split(' ') ?? [];
  return ids.map((id) => document.getElementById(id)?.textContent ?? '').join(' ');
}

test('H4: a field for a reason says beside it that it is kept, and that the person is not to be named', async () => {
  await show(<ReasonField says="Such as the number of the request." value="" onChange={() => {}} />);
  expect(descriptionOf(document.querySelector('input')!)).toBe(`Such as the number of the request. ${WARNING}`);
});

test('H4: whoever hands out a person, or looks at one in a log, reads it', async () => {
  await show(<ExportDialog q="ada@example.com" held="1 lead" onClose={() => {}} />);
  expect(document.body.textContent).toContain(WARNING);
  await act(() => root.unmount());
  await show(<Unmask isOpen={false} unmask={async () => {}} onHide={() => {}} />);
  await act(async () => document.querySelector('button')!.click());
  expect(document.body.textContent).toContain(WARNING);
});

test('a reason has three characters at least', () => {
  expect(['', '  a ', 'ab', 'abc'].map(isReason)).toEqual([false, false, false, true]);
});
