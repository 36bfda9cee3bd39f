import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { SPECS_ON_A_PAGE } from '#contract/posting-spec.ts';
import { Pager } from '#web/ui/Pager.tsx';
import { SearchBox } from '#web/ui/SearchBox.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { postingSpecsQuery } from '../api/posting-spec.ts';
import { usePlaceIds } from '../set-up/place-ids.ts';
import { usePlaceName } from '../shell/use-place.ts';
import { ApiTabs } from '../webhook/WebhookFrame.tsx';
import { SpecLine } from './SpecLine.tsx';
import type { SpecSearch } from './spec-routes.ts';
import '../lead/leads.css';
import './posting-spec.css';

/** What publishers need to post: a specification for each tier, opened by a link, and the way to its keys. */
export function PostingSpecsPage() {
  const { place } = usePlaceIds();
  const placeName = usePlaceName();
  const said: object = useSearch({ strict: false });
  const { q = '', page = 1 } = said as SpecSearch;
  const navigate = useNavigate();
  const specs = useQuery(postingSpecsQuery(place, q, page));
  const go = (search: SpecSearch) => void navigate({ to: '.', search: search as never, replace: true });
  const data = specs.data;
  return (
    <div className="page">
      <title>{`API and posting specifications · ${placeName} · Sluice`}</title>
      <div className="page-head">
        <h1>API and posting specifications</h1>
        <span className="muted">{placeName}</span>
      </div>
      <ApiTabs place={place} />
      <p className="muted spec-lead-in">
        Each publisher tier has a specification: its fields, rules, answers and samples that run, made from the set-up as it is now. Whoever
        has the link reads it without a sign-in; keys stand nowhere in it. All calls of this installation are told at{' '}
        <a className="link" href="/docs">
          /docs
        </a>
        .
      </p>
      <search className="lead-filters" aria-label="Find publisher tiers">
        <SearchBox
          value={q}
          label="Search by publisher, tier or campaign"
          className="lead-search"
          onSearch={(text) => go(text ? { q: text } : {})}
        />
      </search>
      <section className="card" aria-label="Publisher tiers">
        {specs.isPending && (
          <div className="card-body">
            <SkeletonLines count={6} height={34} />
          </div>
        )}
        {specs.isError && !data && <ErrorState error={specs.error} onRetry={() => void specs.refetch()} />}
        {data && data.rows.length === 0 && (
          <EmptyState title={q ? 'No publisher tier matches.' : 'No publisher tier yet.'}>
            {q ? (
              'The search looks through the names of publishers, tiers and campaigns.'
            ) : data.maySetUp ? (
              <>
                A specification belongs to a publisher’s tier in a campaign.{' '}
                <Link to="/setup/$region/$vertical/publishers" params={place} className="link">
                  Set one up
                </Link>
                .
              </>
            ) : (
              'Ask who sets this vertical up for one.'
            )}
          </EmptyState>
        )}
        {data && data.rows.length > 0 && (
          <ul className="spec-list">
            {data.rows.map((row) => (
              <SpecLine key={row.publisherTierId} row={row} place={place} maySetUp={data.maySetUp} />
            ))}
          </ul>
        )}
        {data && (
          <Pager
            total={data.total}
            pageSize={SPECS_ON_A_PAGE}
            page={page}
            onPage={(next) => go({ ...(q && { q }), ...(next > 1 && { page: next }) })}
          />
        )}
      </section>
    </div>
  );
}
