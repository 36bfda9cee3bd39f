import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, Navigate, useNavigate } from '@tanstack/react-router';
import { IconArrowLeft } from '#web/ui/icons.ts';
import { useShortcuts } from '#web/ui/shortcuts.ts';
import { EmptyState, ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { ApiError } from '../api/client.ts';
import { leadQuery, type Place } from '../api/lead.ts';
import { guardRoute } from '../guard.ts';
import { labPath } from '../lab/lab-path.ts';
import { usePlaceName, useSetup } from '../shell/use-place.ts';
import { LeadReport } from './LeadReport.tsx';
import { lastList } from './last-list.ts';
import './lead.css';

const route = getRouteApi('/framed/setup/$region/$vertical/leads/$leadId');

export function Lead() {
  const { leadId, ...place } = route.useParams();
  const placeName = usePlaceName();
  const navigate = useNavigate();
  const lead = useQuery(leadQuery(leadId));
  useShortcuts({ u: () => void navigate({ to: '/setup/$region/$vertical/leads', params: place, search: lastList(place) }) });
  // A lead is shown where it lies, whatever vertical the address named.
  const home = lead.data && { region: lead.data.regionSlug, vertical: lead.data.verticalSlug };
  if (home && (home.region !== place.region || home.vertical !== place.vertical)) {
    return <Navigate to="/setup/$region/$vertical/leads/$leadId" params={{ ...home, leadId }} replace />;
  }
  return (
    <div className="page">
      <title>{`Lead ${leadId} · ${placeName} · Sluice`}</title>
      <div className="lead-ways no-print">
        <BackLink place={place} />
        {lead.data && <TryAgainLink place={place} leadId={leadId} />}
      </div>
      {lead.data ? (
        <LeadReport key={leadId} lead={lead.data} place={place} />
      ) : lead.isError ? (
        <LeadMissing leadId={leadId} error={lead.error} onRetry={() => void lead.refetch()} />
      ) : (
        <LeadSkeleton />
      )}
    </div>
  );
}

function BackLink({ place }: { place: Place }) {
  return (
    <Link to="/setup/$region/$vertical/leads" params={place} search={lastList(place)} className="link back-link">
      <IconArrowLeft size={16} aria-hidden /> Leads
    </Link>
  );
}

/** To the testing lab with this lead, for who may open it. */
function TryAgainLink({ place, leadId }: { place: Place; leadId: string }) {
  const { session, places } = useSetup();
  if (!guardRoute(labPath(place), session, places).open) return null;
  return (
    <Link to={labPath(place) as '/'} search={{ lead: leadId } as never} className="link">
      Try it again in the testing lab
    </Link>
  );
}

function LeadMissing({ leadId, error, onRetry }: { leadId: string; error: unknown; onRetry: () => void }) {
  const unknown = error instanceof ApiError && (error.httpStatus === 404 || error.httpStatus === 400);
  return (
    <div className="card">
      {unknown ? (
        <>
          <h1 className="sr-only">Lead not found</h1>
          <EmptyState title="There is no such lead.">
            No lead of your organization has the id <code className="mono lead-missing-id">{leadId}</code>. Check that it was copied whole;
            an erased lead is gone too.
          </EmptyState>
        </>
      ) : (
        <ErrorState error={error} onRetry={onRetry} />
      )}
    </div>
  );
}

const LeadSkeleton = () => (
  <>
    <h1 className="sr-only">Loading the lead</h1>
    <div className="card lead-head">
      <SkeletonLines count={3} height={22} />
    </div>
    <div className="lead-grid">
      <div className="lead-column">
        <div className="card lead-head">
          <SkeletonLines count={9} height={20} />
        </div>
      </div>
      <div className="lead-column">
        <div className="card lead-head">
          <SkeletonLines count={7} height={20} />
        </div>
      </div>
    </div>
  </>
);
