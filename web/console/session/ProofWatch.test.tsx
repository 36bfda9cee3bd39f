// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { postJson } from '../api/client.ts';
import { ProofWatch } from './ProofWatch.tsx';

const NEEDED = { status: false, code: 'session_proof_needed', msg: 'Show that it is you.', needs: ['password'] };
const NOT_SHOWN = 'Nothing was done: it was not shown that it is you.';

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => {}, removeEventListener: () => {} }));
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  vi.stubGlobal('fetch', async () => Response.json(NEEDED, { status: 403 }));
  document.body.innerHTML = '<div id="root"></div>';
});
afterEach(() => vi.unstubAllGlobals());

async function show(): Promise<Root> {
  const root = createRoot(document.getElementById('root') as HTMLElement);
  await act(async () =>
    root.render(
      <MantineProvider>
        <QueryClientProvider client={new QueryClient()}>
          <ProofWatch />
        </QueryClientProvider>
      </MantineProvider>,
    ),
  );
  return root;
}

const endOthers = () => postJson('/api/v1/session/end', { all: true }).catch((error: Error) => error.message);
const cancelButton = () => [...document.querySelectorAll('button')].find((one) => one.textContent === 'Cancel');
async function dialog(): Promise<HTMLButtonElement> {
  for (;;) {
    await act(() => new Promise((resolve) => setTimeout(resolve, 10)));
    const found = cancelButton();
    if (found) return found;
  }
}

test('a dialog that goes away unanswered ends the call that waits for it, and the next call asks anew', async () => {
  const first = await show();
  const waiting = endOthers();
  await dialog();
  act(() => first.unmount());
  expect(await waiting).toBe(NOT_SHOWN);
  const second = await show();
  const next = endOthers();
  const cancel = await dialog();
  act(() => cancel.click());
  expect(await next).toBe(NOT_SHOWN);
  act(() => second.unmount());
});
