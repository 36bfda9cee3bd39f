import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api/client.ts';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // A refusal stays a refusal; only a missing answer or a failing server is worth a second try.
      retry: (failures, error) => failures < 1 && !(error instanceof ApiError && error.httpStatus >= 400 && error.httpStatus < 500),
      retryDelay: 600,
      networkMode: 'always',
    },
    // Off line a call fails at once and says so; left alone it would wait for the line without a word.
    mutations: { networkMode: 'always' },
  },
});
