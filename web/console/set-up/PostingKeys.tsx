import { Button, Modal, NativeSelect } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { PostingKeyView } from '#contract/posting-key.ts';
import { CopyButton } from '#web/ui/CopyButton.tsx';
import { ExactTime, TimeAgo } from '#web/ui/reporting.tsx';
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast.ts';
import { getJson, postJson } from '../api/client.ts';

const overlaps = [
  { value: '', label: 'beside the others' },
  { value: '0', label: 'in place of the others, at once' },
  { value: '24', label: 'in place of the others, after a day' },
  { value: '168', label: 'in place of the others, after a week' },
];

/** Keys of a publisher tier: a new one is shown once, the old ones may overlap with it. */
export function PostingKeys({ tierId }: { tierId: string }) {
  const base = `/api/console/publisher-tiers/${tierId}/keys`;
  const client = useQueryClient();
  const keys = useQuery({ queryKey: ['posting-keys', tierId], queryFn: () => getJson<{ keys: PostingKeyView[] }>(base) });
  const [overlap, setOverlap] = useState('');
  const [made, setMade] = useState<string | null>(null);
  const [revoking, setRevoking] = useState<PostingKeyView | null>(null);
  const [isReplacing, setReplacing] = useState(false);
  const refresh = () => client.invalidateQueries({ queryKey: ['posting-keys', tierId] });
  const make = useMutation({
    mutationFn: () => postJson<{ key: string; msg: string }>(`${base}/new`, { overlapHours: overlap === '' ? null : Number(overlap) }),
    onSuccess: ({ key, msg }) => {
      setMade(key);
      void toast('success', msg);
      void refresh();
    },
    onError: (error) => void toast('error', error.message),
    onSettled: () => setReplacing(false),
  });
  const living = keys.data?.keys.filter((one) => one.isLiving) ?? [];
  const revoke = useMutation({
    mutationFn: (id: string) => postJson<{ msg: string }>(`/api/console/posting-keys/${id}/revoke`, {}),
    onSuccess: ({ msg }) => void toast('success', msg),
    onError: (error) => void toast('error', error.message),
    onSettled: () => {
      setRevoking(null);
      return refresh();
    },
  });
  return (
    <section className="belongings" aria-label="Posting keys">
      <div className="set-up-head">
        <h2>Posting keys</h2>
      </div>
      <div className="card card-pad form-stack">
        {made && (
          <div className="form-note" role="status">
            <p>
              <strong>Copy the key now: it is not shown again.</strong>
            </p>
            <span className="row">
              <code className="mono">{made}</code> <CopyButton text={made} label="Copy the key" />
            </span>
          </div>
        )}
        {keys.isPending && <SkeletonLines count={2} />}
        {keys.isError && <ErrorState error={keys.error} onRetry={() => void keys.refetch()} />}
        {keys.data?.keys.length === 0 && <p className="muted">No key yet. Without one nobody can post to this tier.</p>}
        <ul className="rule-lines">
          {keys.data?.keys.map((key) => (
            <li key={key._id} className="row">
              <code className="mono">{key.prefix}…</code>
              <KeyState keyView={key} />
              {key.isLiving && (
                <Button
                  size="compact-sm"
                  variant="default"
                  className="push"
                  aria-label={`Revoke ${key.prefix}…`}
                  onClick={() => setRevoking(key)}
                >
                  Revoke
                </Button>
              )}
            </li>
          ))}
        </ul>
        <div className="row">
          <Button
            size="sm"
            loading={make.isPending}
            onClick={() => (overlap === '0' && living.length > 0 ? setReplacing(true) : make.mutate())}
          >
            Make a key
          </Button>
          <NativeSelect
            aria-label="What becomes of the other keys"
            size="sm"
            data={overlaps}
            value={overlap}
            onChange={(event) => setOverlap(event.currentTarget.value)}
          />
        </div>
      </div>
      {revoking && (
        <LossDialog
          title="Revoke this key?"
          prefixes={[revoking.prefix]}
          isLast={living.length === 1}
          label="Revoke the key"
          isPending={revoke.isPending}
          onDo={() => revoke.mutate(revoking._id)}
          onClose={() => setRevoking(null)}
        />
      )}
      {isReplacing && (
        <LossDialog
          title="Replace the keys at once?"
          prefixes={living.map(({ prefix }) => prefix)}
          label="Make the new key"
          isPending={make.isPending}
          onDo={() => make.mutate()}
          onClose={() => setReplacing(false)}
        />
      )}
    </section>
  );
}

interface LossProps {
  title: string;
  /** Keys that end. */
  prefixes: string[];
  /** No other key of the tier is left. */
  isLast?: boolean;
  label: string;
  isPending: boolean;
  onDo: () => void;
  onClose: () => void;
}

/** A key that has ended cannot be brought back: what is lost is said before it is. */
function LossDialog({ title, prefixes, isLast, label, isPending, onDo, onClose }: LossProps) {
  return (
    <Modal opened onClose={onClose} title={title}>
      <div className="form-stack">
        <p>
          From now on every lead posted with <code className="mono">{prefixes.map((one) => `${one}…`).join(', ')}</code> is refused. A key
          that has ended cannot be brought back.
        </p>
        {isLast && <p className="warn">It is the only key in use: nobody can post to this tier until you make another one.</p>}
        <span className="row">
          <Button color="red.9" loading={isPending} onClick={onDo}>
            {label}
          </Button>
          <Button variant="default" onClick={onClose} data-autofocus>
            Keep {prefixes.length === 1 ? 'it' : 'them'}
          </Button>
        </span>
      </div>
    </Modal>
  );
}

function KeyState({ keyView: { isLiving, revokedAt, expiresAt, createdAt } }: { keyView: PostingKeyView }) {
  if (revokedAt)
    return (
      <span className="muted small">
        revoked <TimeAgo at={revokedAt} />
      </span>
    );
  if (!isLiving && expiresAt)
    return (
      <span className="muted small">
        ended <TimeAgo at={expiresAt} />
      </span>
    );
  return (
    <>
      <span className="pill good">In use</span>
      <span className="muted small">
        made <TimeAgo at={createdAt} />
        {expiresAt && (
          <>
            , ends <ExactTime at={expiresAt} />
          </>
        )}
      </span>
    </>
  );
}
