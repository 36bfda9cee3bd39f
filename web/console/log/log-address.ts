import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { Place } from '../api/lead.ts';

export const testOptions = [
  { value: 'false', label: 'Real leads only' },
  { value: 'true', label: 'Test leads only' },
];

/** Where one is and what the address narrows the log to, with the ways to change it. */
export function useLogAddress<Search extends object>() {
  const { region = '', vertical = '' } = useParams({ strict: false });
  const said: object = useSearch({ strict: false });
  const search = said as Search;
  const navigate = useNavigate();
  const go = (next: Partial<Search>) => void navigate({ to: '.', search: next as never, replace: true });
  const place: Place = { region, vertical };
  return { place, search, change: (part: Partial<Search>) => go({ ...search, ...part }), clear: () => go({}) };
}
