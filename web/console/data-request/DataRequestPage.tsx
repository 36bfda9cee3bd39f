import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { FindPersonAnswer } from '#contract/data-request.ts';
import { ExactSearch } from '#web/ui/ExactSearch.tsx';
import { IconDownload, IconX } from '#web/ui/icons.ts';
import { ExactTime } from '#web/ui/reporting.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { findPerson } from '../api/data-request.ts';
import type { Place } from '../api/lead.ts';
import { ReportTabs } from '../report/ReportTabs.tsx';
import { usePlaceName } from '../shell/use-place.ts';
import { AcceptAgainDialog } from './AcceptAgainDialog.tsx';
import { EraseDialog } from './EraseDialog.tsx';
import { ExportDialog } from './ExportDialog.tsx';
import { HeldBesideList } from './HeldBesideList.tsx';
import { HeldLeadLine } from './HeldLeadLine.tsx';
import { sayHeld } from './held-words.ts';
import '../lead/leads.css';
import '../lead/lead.css';
import './data-request.css';

/** A consumer asks what is held of them, or wants it gone: found by a whole value, handed out, erased. */
export function DataRequestPage() {
  const place = useParams({ strict: false }) as Place;
  const placeName = usePlaceName();
  // Never in the address, which browsers and proxies remember.
  const [q, setQ] = useState('');
  const [asks, setAsks] = useState<'export' | 'erase' | 'again' | null>(null);
  const person = useInfiniteQuery({
    queryKey: ['data-request', q],
    queryFn: ({ pageParam, signal }) => findPerson(q, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page: FindPersonAnswer) => page.older,
    enabled: q !== '',
    gcTime: 0,
    staleTime: 0,
    refetchOnWindowFocus: false,
  });
  const leads = person.data?.pages.flatMap((page) => page.leads) ?? [];
  const first = person.data?.pages[0];
  const { beside = null, refusedSince = null } = first ?? {};
  const held = sayHeld({ total: first?.total ?? 0, beside });
  const isHeld = leads.length + (beside?.samples.length ?? 0) + (beside?.calls.length ?? 0) > 0;
  // Calls that one look did not reach may hold the person.
  const mayBeHeld = isHeld || (beside?.searchedTo ?? null) !== null;
  return (
    <div className="page">
      <title>{`Data request · ${placeName} · Sluice`}</title>
      <div className="page-head">
        <h1>Data request</h1>
        {q !== '' && person.data && (
          <span className="muted tabular" role="status">
            {held}
          </span>
        )}
      </div>
      <ReportTabs place={place} />
      <p className="muted">
        Everything that is held of one consumer, over all verticals that you may look into: every lead, and who was sent which field of it,
        calls that were refused, and sample leads. It can be handed out to them, or erased.
      </p>
      <search className="lead-filters" aria-label="Find a consumer">
        <ExactSearch
          value={q}
          label="A whole e-mail address, phone number or other searchable value, or a lead id"
          placeholder="Whole e-mail, phone or lead id, then Enter"
          className="lead-search"
          onSearch={setQ}
        />
        {mayBeHeld && (
          <span className="row push">
            <Button size="sm" variant="default" leftSection={<IconDownload size={15} aria-hidden />} onClick={() => setAsks('export')}>
              Hand out
            </Button>
            <Button size="sm" color="red.9" leftSection={<IconX size={15} aria-hidden />} onClick={() => setAsks('erase')}>
              Erase
            </Button>
          </span>
        )}
      </search>
      {q !== '' && person.isLoading && (
        <div className="card card-pad">
          <SkeletonLines count={6} />
        </div>
      )}
      {person.isError && <ErrorState error={person.error} onRetry={() => void person.refetch()} />}
      {refusedSince && (
        <section className="card notice refused-person" aria-labelledby="refused-title">
          <h2 id="refused-title">This person is not taken again</h2>
          <p>
            They were erased <ExactTime at={refusedSince} /> and are refused since: nothing of their new leads is kept.
          </p>
          <Button size="sm" variant="default" onClick={() => setAsks('again')}>
            Take them again
          </Button>
        </section>
      )}
      {q !== '' && person.data && !mayBeHeld && !refusedSince && (
        <div className="card">
          <EmptyState title="Nothing is held under this value.">
            A whole value is looked for, in any spelling: 2125550123 finds (212) 555-0123. Try another of theirs; what was erased is found
            no more.
          </EmptyState>
        </div>
      )}
      <ol className="held-leads">
        {leads.map((one) => (
          <HeldLeadLine key={one.lead._id} held={one} />
        ))}
      </ol>
      {person.hasNextPage && (
        <Button variant="default" loading={person.isFetchingNextPage} onClick={() => void person.fetchNextPage()}>
          Earlier leads
        </Button>
      )}
      {beside && <HeldBesideList beside={beside} />}
      {asks === 'export' && <ExportDialog q={q} held={held} onClose={() => setAsks(null)} />}
      {asks === 'again' && <AcceptAgainDialog q={q} onClose={() => setAsks(null)} />}
      {asks === 'erase' && <EraseDialog q={q} held={held} onClose={() => setAsks(null)} />}
    </div>
  );
}
