// @vitest-environment jsdom

import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test, vi } from 'vitest';
import { NotRefreshed } from './states.tsx';

let isDown = false;

function Figures() {
  const query = useQuery({
    queryKey: ['figures'],
    queryFn: async () => {
      if (isDown) throw new Error('The database does not answer.');
      return 'figures';
    },
  });
  return (
    <>
      <NotRefreshed query={query} />
      {query.data}
    </>
  );
}

test('experience: what could not be asked anew is said beside what was read before, until it can', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  isDown = false;
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const place = document.createElement('div');
  const root = createRoot(place);
  const told = async (refetch: () => Promise<unknown>) => {
    await act(refetch);
    await act(async () => new Promise((resolve) => setTimeout(resolve, 10)));
    return place.textContent;
  };
  const draw = async () =>
    root.render(
      <QueryClientProvider client={client}>
        <Figures />
      </QueryClientProvider>,
    );
  expect(await told(draw)).toBe('figures');
  isDown = true;
  expect(await told(() => client.refetchQueries())).toBe('Not refreshed: The database does not answer.figures');
  expect(place.querySelector('[role="alert"]')).not.toBeNull();
  isDown = false;
  expect(await told(() => client.refetchQueries())).toBe('figures');
  await act(async () => root.unmount());
  vi.unstubAllGlobals();
});
