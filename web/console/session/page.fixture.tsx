/** A page of the signed-out as it stands in the console: with its route, a place to go to, and nothing else. */
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRoute, createRouter, Outlet, RouterProvider } from '@tanstack/react-router';
import { act, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { vi } from 'vitest';

export interface OpenedPage {
  /** Where the person is now. */
  path(): string;
  text(): string;
  pass(ms: number): Promise<void>;
  press(button: string): Promise<void>;
  fill(label: string, text: string): void;
  close(): void;
}

/** Opens the page at `address` under a clock that stands still. `path` is its pattern in the console. */
export async function openUnderFakeClock(path: string, address: string, Page: () => ReactNode): Promise<OpenedPage> {
  vi.useFakeTimers();
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const media = {
    matches: false,
    addEventListener: () => {},
    removeEventListener: () => {},
    addListener: () => {},
    removeListener: () => {},
  };
  vi.stubGlobal('matchMedia', () => media);
  vi.stubGlobal('scrollTo', () => {});
  document.body.innerHTML = '<div id="root"></div>';
  const root = createRootRoute({ component: Outlet });
  const routes = [
    createRoute({ getParentRoute: () => root, path, component: Page }),
    ...['/login', '/forgot-password', '/'].map((other) =>
      createRoute({ getParentRoute: () => root, path: other, component: () => <p>{`at ${other}`}</p> }),
    ),
  ];
  const router = createRouter({ routeTree: root.addChildren(routes), history: createMemoryHistory({ initialEntries: [address] }) });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const reactRoot = createRoot(document.getElementById('root') as HTMLElement);
  const pass = (ms: number) =>
    act(async () => {
      await vi.advanceTimersByTimeAsync(ms);
    });
  await act(async () => {
    reactRoot.render(
      <MantineProvider>
        <QueryClientProvider client={client}>
          {/* biome-ignore lint/suspicious/noExplicitAny: the console's own router is another one by its type */}
          <RouterProvider router={router as any} />
        </QueryClientProvider>
      </MantineProvider>,
    );
  });
  await pass(0);
  return {
    path: () => router.state.location.href,
    text: () => document.body.textContent ?? '',
    pass,
    press: async (name) => {
      const button = [...document.querySelectorAll('button')].find((one) => one.textContent?.includes(name));
      if (!button) throw new Error(`There is no button ${name}.`);
      await act(async () => button.click());
      // What was pressed asks the server, whose answer comes at once.
      await pass(0);
    },
    fill: (label, text) => {
      const field = [...document.querySelectorAll('label')].find((one) => one.textContent?.startsWith(label))?.htmlFor ?? '';
      const input = document.getElementById(field) as HTMLInputElement;
      const write = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!;
      act(() => {
        write.call(input, text);
        input.dispatchEvent(new Event('input', { bubbles: true }));
      });
    },
    close: () => {
      act(() => reactRoot.unmount());
      vi.useRealTimers();
      vi.unstubAllGlobals();
    },
  };
}
