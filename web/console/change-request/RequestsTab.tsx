import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { requestCountQuery } from '../api/change-request.ts';

/** The tab of the set-up pages that leads to the requests, with how many wait. */
export function RequestsTab({ place }: { place: { region: string; vertical: string } }) {
  const { data } = useQuery(requestCountQuery);
  return (
    <Link
      to="/setup/$region/$vertical/change-requests"
      params={place}
      activeOptions={{ includeSearch: false }}
      activeProps={{ 'aria-current': 'page' }}
    >
      Requests
      {data !== undefined && data.open > 0 && (
        <span className="count-badge">
          {data.open}
          <span className="sr-only"> waiting</span>
        </span>
      )}
    </Link>
  );
}
