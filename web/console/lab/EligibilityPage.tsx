import { Button, Modal, MultiSelect, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ELIGIBILITY_DAYS, type EligibilityTokenView } from '#contract/eligibility.ts';
import type { LabAnswer } from '#contract/lab.ts';
import { CopyButton } from '#web/ui/CopyButton.tsx';
import { DialogEnd } from '#web/ui/DialogEnd.tsx';
import { ExactTime, TimeAgo } from '#web/ui/reporting.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast.ts';
import { useNow } from '#web/ui/use-now.ts';
import { eligibilityLinksQuery, makeLink, revokeLink } from '../api/eligibility.ts';
import { labQuery } from '../api/lab.ts';
import type { Place } from '../api/lead.ts';
import { toBrowserHref } from '../hashbang.ts';
import { usePlaceIds } from '../set-up/place-ids.ts';
import { LabFrame } from './LabFrame.tsx';
import { seatName, seatsOf } from './send-draft.ts';

/** Links to the eligibility checker: made, shown once, and revoked. */
export function EligibilityPage() {
  const { place } = usePlaceIds();
  const lab = useQuery(labQuery(place));
  return (
    <LabFrame title="Testing lab" tab="/eligibility">
      {lab.isPending && (
        <div className="card card-pad">
          <SkeletonLines count={4} height={24} />
        </div>
      )}
      {lab.isError && <ErrorState error={lab.error} onRetry={() => void lab.refetch()} />}
      {lab.data && <NewLink place={place} lab={lab.data} />}
      <LinkList place={place} />
    </LabFrame>
  );
}

const linkOf = (token: string): string => window.location.origin + toBrowserHref(`/eligibility-checker-tool/${token}`);

function NewLink({ place, lab }: { place: Place; lab: LabAnswer }) {
  const client = useQueryClient();
  const [name, setName] = useState('');
  const [seats, setSeats] = useState<string[]>([]);
  const [days, setDays] = useState(String(ELIGIBILITY_DAYS.usual));
  const make = useMutation({
    mutationFn: () => makeLink(place, { name: name.trim(), publisherTierIds: seats, days: Number(days) }),
    onSuccess: ({ msg }) => {
      setName('');
      setSeats([]);
      void toast('success', msg);
      void client.invalidateQueries({ queryKey: ['eligibility-links', place] });
    },
  });
  const isDaysRight = Number(days) >= ELIGIBILITY_DAYS.least && Number(days) <= ELIGIBILITY_DAYS.most;
  return (
    <form
      className="card card-pad form-stack"
      aria-label="New link"
      onSubmit={(event) => {
        event.preventDefault();
        make.mutate();
      }}
    >
      <p className="muted lab-lead-in">
        A link opens one page, without a sign-in: whoever has it types a lead and reads which buyer tiers could take it now, and why the
        others could not. Nothing is sent or kept. It names your buyers and their rules, so give it to people whom you would tell them.
      </p>
      {make.data && (
        <div className="form-note" role="status">
          <p>
            <strong>Copy the link now: it is not shown again.</strong>
          </p>
          <span className="row">
            <code className="mono">{linkOf(make.data.token)}</code> <CopyButton text={linkOf(make.data.token)} label="Copy the link" />
            <a className="link" href={linkOf(make.data.token)} target="_blank" rel="noreferrer">
              Open it
            </a>
          </span>
        </div>
      )}
      <div className="lab-choices">
        <TextInput
          label="For whom"
          placeholder="Such as: Harbour Media, support"
          maxLength={120}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <MultiSelect
          label="Publisher tiers it opens"
          placeholder={seats.length === 0 ? 'Select...' : ''}
          searchable
          data={seatsOf(lab.campaigns).map((seat) => ({ value: seat._id, label: seatName(seat) }))}
          nothingFoundMessage="No publisher tiers found."
          value={seats}
          onChange={setSeats}
        />
        <TextInput
          label="Ends after, days"
          inputMode="numeric"
          value={days}
          error={!isDaysRight && `Between ${ELIGIBILITY_DAYS.least} and ${ELIGIBILITY_DAYS.most} days.`}
          onChange={(event) => setDays(event.currentTarget.value.replace(/\D/g, '').slice(0, 3))}
        />
      </div>
      {make.isError && (
        <div className="form-alert" role="alert">
          {make.error.message}
        </div>
      )}
      <div className="row">
        <Button type="submit" loading={make.isPending} disabled={name.trim() === '' || seats.length === 0 || !isDaysRight}>
          Make the link
        </Button>
      </div>
    </form>
  );
}

function LinkList({ place }: { place: Place }) {
  const client = useQueryClient();
  const links = useQuery(eligibilityLinksQuery(place));
  const [revoking, setRevoking] = useState<EligibilityTokenView | null>(null);
  const revoke = useMutation({
    mutationFn: (id: string) => revokeLink(id),
    onSuccess: ({ msg }) => void toast('success', msg),
    onError: (error) => void toast('error', error.message),
    onSettled: () => {
      setRevoking(null);
      return client.invalidateQueries({ queryKey: ['eligibility-links', place] });
    },
  });
  return (
    <section className="card lab-part" aria-labelledby="eligibility-links">
      <header>
        <h2 id="eligibility-links">Links</h2>
      </header>
      {links.isPending && (
        <div className="card-body">
          <SkeletonLines count={3} height={22} />
        </div>
      )}
      {links.isError && <ErrorState error={links.error} onRetry={() => void links.refetch()} />}
      {links.data?.tokens.length === 0 && <EmptyState title="No links yet.">Each one that is made stands here, with its end.</EmptyState>}
      {links.data && links.data.tokens.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
        <section className="scroll-x" aria-label="Table of links" tabIndex={0}>
          <table className="plain-table">
            <thead>
              <tr>
                <th scope="col">For whom</th>
                <th scope="col">State</th>
                <th scope="col">Publisher tiers</th>
                <th scope="col">Last used</th>
                <th scope="col">Made</th>
                <th scope="col">
                  <span className="sr-only">Revoke</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {links.data.tokens.map((link) => (
                <LinkLine key={link._id} link={link} onRevoke={() => setRevoking(link)} />
              ))}
            </tbody>
          </table>
        </section>
      )}
      {revoking && (
        <Modal opened onClose={() => setRevoking(null)} title="Revoke this link?">
          <div className="form-stack">
            <p>The link for {revoking.name} opens nothing from now on. A link that was revoked cannot be brought back.</p>
            <DialogEnd
              label="Revoke the link"
              isLoss
              isPending={revoke.isPending}
              onGo={() => revoke.mutate(revoking._id)}
              onClose={() => setRevoking(null)}
            />
          </div>
        </Modal>
      )}
    </section>
  );
}

function LinkLine({ link, onRevoke }: { link: EligibilityTokenView; onRevoke: () => void }) {
  const now = useNow();
  const isOver = Date.parse(link.expiresAt) <= now;
  const isOpen = !link.revokedAt && !isOver;
  return (
    <tr>
      <td>{link.name}</td>
      <td>
        <span className={`pill ${isOpen ? 'good' : 'muted'}`}>{link.revokedAt ? 'Revoked' : isOver ? 'Ended' : 'Open'}</span>{' '}
        <span className="muted small">
          {link.revokedAt ? (
            <TimeAgo at={link.revokedAt} />
          ) : (
            <>
              until <ExactTime at={link.expiresAt} />
            </>
          )}
        </span>
      </td>
      <td className="small lab-values">{link.publisherTiers.map(({ name }) => name || 'one that is gone').join('; ')}</td>
      <td>{link.usedAt ? <TimeAgo at={link.usedAt} /> : <span className="muted">Never</span>}</td>
      <td>
        <TimeAgo at={link.createdAt} /> <span className="muted small">by {link.createdBy}</span>
      </td>
      <td className="num">
        {isOpen && (
          <Button size="compact-sm" variant="default" aria-label={`Revoke the link for ${link.name}`} onClick={onRevoke}>
            Revoke
          </Button>
        )}
      </td>
    </tr>
  );
}
