import { Button, Modal, Textarea } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type ChangeRequest, REQUESTS_ON_A_PAGE } from '#contract/change-request.ts';
import { DialogEnd } from '#web/ui/DialogEnd.tsx';
import { formatCount } from '#web/ui/format.ts';
import { Pager } from '#web/ui/Pager.tsx';
import { TimeAgo } from '#web/ui/reporting.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast.ts';
import { approveRequest, changeRequestsKey, changeRequestsQuery, declineRequest } from '../api/change-request.ts';
import { ledgerKey } from '../api/ledger.ts';
import { RequestDifference } from '../portal/RequestDifference.tsx';
import { requestTitle, STATUS } from '../portal/request-words.ts';
import { ChoiceRow } from '../report/ChoiceRow.tsx';
import { SetUpTabs } from '../set-up/SetUpTabs.tsx';
import { usePlaceName } from '../shell/use-place.ts';
import '../report/report.css';
import '../portal/portal.css';

const route = getRouteApi('/framed/setup/$region/$vertical/change-requests');

/** What buyers and publishers ask for in their portals, for who sets up. */
export function ChangeRequestsPage() {
  const place = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const placeName = usePlaceName();
  const [deciding, setDeciding] = useState<{ request: ChangeRequest; as: 'approve' | 'decline' } | null>(null);
  const which = search.which ?? 'open';
  const page = search.page ?? 1;
  const requests = useQuery(changeRequestsQuery(which, page));
  const { data } = requests;
  const go = (next: typeof search) => void navigate({ search: next, replace: true, resetScroll: false });
  return (
    <div className="page">
      <title>{`Requests · ${placeName} · Sluice`}</title>
      <div className="page-head">
        <h1>Requests</h1>
        <span className="muted">of buyers and publishers, from their portals</span>
        {data && which === 'open' && (
          <span className="muted tabular" role="status">
            {formatCount(data.total)} {data.total === 1 ? 'waits' : 'wait'}
          </span>
        )}
      </div>
      <SetUpTabs place={place} />
      <ChoiceRow
        label="Show"
        options={[
          { value: 'open', label: 'Waiting' },
          { value: 'decided', label: 'Decided' },
        ]}
        value={which}
        onChoose={(value) => go(value === 'decided' ? { which: 'decided' } : {})}
      />
      <section className="card" aria-label={which === 'open' ? 'Requests that wait' : 'Requests that are decided'}>
        {requests.isPending && (
          <div className="card-body">
            <SkeletonLines count={6} height={22} />
          </div>
        )}
        {requests.isError && !data && <ErrorState error={requests.error} onRetry={() => void requests.refetch()} />}
        {data && data.rows.length === 0 && (
          <EmptyState title={which === 'open' ? 'Nothing waits.' : 'Nothing was decided yet.'}>
            A member of the team who is bound to a buyer or publisher asks for changes in the portal. They stand here until you decide.
          </EmptyState>
        )}
        {data && data.rows.length > 0 && (
          <ul className="request-list">
            {data.rows.map((request) => (
              <Request key={request._id} request={request} onDecide={(as) => setDeciding({ request, as })} />
            ))}
          </ul>
        )}
        {data && (
          <Pager
            total={data.total}
            pageSize={REQUESTS_ON_A_PAGE}
            page={page}
            onPage={(next) => go({ ...(which === 'decided' && { which }), ...(next !== undefined && next > 1 && { page: next }) })}
          />
        )}
      </section>
      {deciding && <DecideDialog {...deciding} onClose={() => setDeciding(null)} />}
    </div>
  );
}

function Request({ request, onDecide }: { request: ChangeRequest; onDecide: (as: 'approve' | 'decline') => void }) {
  const place = route.useParams();
  const { label, tone } = STATUS[request.status];
  const { company, isStale, whyNot, decidedBy, decidedAt, answer } = request;
  const title = requestTitle(request);
  const isOpen = request.status === 'open';
  return (
    <li>
      <div className="request-head">
        <strong>{title}</strong>
        {request.model === 'leadReturn' && (
          <Link to="/setup/$region/$vertical/leads/$leadId" params={{ ...place, leadId: request.recordId }} className="link small">
            See the lead
          </Link>
        )}
        <span className="muted">{`${company.kind === 'buyer' ? 'Buyer' : 'Publisher'} ${company.name}`}</span>
        {!isOpen && <span className={`pill ${tone}`}>{label}</span>}
        {isOpen && isStale && <span className="pill warn">Changed since</span>}
        <span className="muted small">
          {request.askedBy}, <TimeAgo at={request.at} />
        </span>
        {isOpen && (
          <span className="row push">
            <Button size="xs" disabled={whyNot !== ''} onClick={() => onDecide('approve')}>
              Approve<span className="sr-only"> {title}</span>
            </Button>
            <Button size="xs" variant="default" onClick={() => onDecide('decline')}>
              Decline<span className="sr-only"> {title}</span>
            </Button>
          </span>
        )}
      </div>
      <RequestDifference request={request} {...(isOpen && isStale && { current: request.current })} />
      {request.note && <p className="request-said">“{request.note}”</p>}
      {isOpen && whyNot && <p className="warn small">{whyNot}</p>}
      {decidedAt && (
        <p className="small">
          {label} by {decidedBy} <TimeAgo at={decidedAt} />
          {answer && `: ${answer}`}
        </p>
      )}
    </li>
  );
}

interface DecideDialogProps {
  request: ChangeRequest;
  as: 'approve' | 'decline';
  onClose: () => void;
}

function DecideDialog({ request, as, onClose }: DecideDialogProps) {
  const client = useQueryClient();
  const [answer, setAnswer] = useState('');
  const isApproval = as === 'approve';
  const send = useMutation({
    mutationFn: () =>
      isApproval
        ? approveRequest(request._id, { version: request.version, isConfirmed: request.isStale, answer: answer.trim() })
        : declineRequest(request._id, answer.trim()),
    onSuccess: ({ msg }) => {
      void toast('success', msg);
      onClose();
    },
    onSettled: () => {
      for (const queryKey of [changeRequestsKey, ['records'], ['record'], ['lead'], ['leads'], ledgerKey])
        void client.invalidateQueries({ queryKey });
    },
  });
  return (
    <Modal opened onClose={onClose} title={`${isApproval ? 'Approve' : 'Decline'}: ${requestTitle(request)}`}>
      <form
        className="form-stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (!send.isPending) send.mutate();
        }}
      >
        <RequestDifference request={request} {...(request.isStale && { current: request.current })} />
        {isApproval && request.isStale && (
          <p className="form-note" role="status">
            {request.recordName} was changed after this was asked. Approving makes it as it was asked all the same.
          </p>
        )}
        <Textarea
          label={isApproval ? 'A word to who asked' : 'Why not'}
          description={isApproval ? 'Goes along in the mail; may be left empty.' : 'Goes along in the mail.'}
          value={answer}
          onChange={(event) => setAnswer(event.currentTarget.value)}
          maxLength={500}
          autosize
          minRows={2}
          data-autofocus
        />
        <DialogEnd
          label={isApproval ? (request.isStale ? 'Approve all the same' : 'Approve') : 'Decline'}
          isPending={send.isPending}
          isBarred={!isApproval && answer.trim() === ''}
          onClose={onClose}
          error={send.error}
        />
      </form>
    </Modal>
  );
}
