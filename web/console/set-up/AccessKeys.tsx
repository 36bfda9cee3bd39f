import { Button, Modal, NativeSelect } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { KeyView } from '#contract/key.ts';
import { CopyButton } from '#web/ui/CopyButton.tsx';
import { DialogEnd } from '#web/ui/DialogEnd.tsx';
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

/** What a kind of key is for, in words. */
interface KeyKind {
  title: string;
  /** Addresses of the owner's keys, and of a single key. */
  owners: string;
  keys: string;
  /** While there is none. */
  none: string;
  /** What a key that ends no longer does; `keys` are its first letters. */
  loss: (keys: ReactNode) => ReactNode;
  lastLoss: string;
}

const postingKeys: KeyKind = {
  title: 'Posting keys',
  owners: 'publisher-tiers',
  keys: 'posting-keys',
  none: 'No key yet. Without one nobody can post to this tier.',
  loss: (keys) => <>From now on every lead posted with {keys} is refused.</>,
  lastLoss: 'It is the only key in use: nobody can post to this tier until you make another one.',
};

const returnKeys: KeyKind = {
  title: 'Return keys',
  owners: 'buyers',
  keys: 'return-keys',
  none: 'No key yet. With one this buyer returns leads by itself, by POST /api/v1/returns.',
  loss: (keys) => <>From now on every return sent with {keys} is refused.</>,
  lastLoss: 'It is the only key in use: this buyer can return nothing by itself until you make another one.',
};

export const PostingKeys = ({ tierId }: { tierId: string }) => <AccessKeys kind={postingKeys} ownerId={tierId} />;
export const ReturnKeys = ({ buyerId }: { buyerId: string }) => <AccessKeys kind={returnKeys} ownerId={buyerId} />;

/** A new key is shown once, the old ones may overlap with it. */
function AccessKeys({ kind, ownerId }: { kind: KeyKind; ownerId: string }) {
  const base = `/api/console/${kind.owners}/${ownerId}/keys`;
  const client = useQueryClient();
  const keys = useQuery({ queryKey: [kind.keys, ownerId], queryFn: () => getJson<{ keys: KeyView[] }>(base) });
  const [overlap, setOverlap] = useState('');
  const [made, setMade] = useState<string | null>(null);
  const [revoking, setRevoking] = useState<KeyView | null>(null);
  const [isReplacing, setReplacing] = useState(false);
  const refresh = () => client.invalidateQueries({ queryKey: [kind.keys, ownerId] });
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
    mutationFn: (id: string) => postJson<{ msg: string }>(`/api/console/${kind.keys}/${id}/revoke`, {}),
    onSuccess: ({ msg }) => void toast('success', msg),
    onError: (error) => void toast('error', error.message),
    onSettled: () => {
      setRevoking(null);
      return refresh();
    },
  });
  return (
    <section className="belongings" aria-label={kind.title}>
      <div className="set-up-head">
        <h2>{kind.title}</h2>
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
        {keys.data?.keys.length === 0 && <p className="muted">{kind.none}</p>}
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
          kind={kind}
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
          kind={kind}
          title="Make a new key in place of the others?"
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
  kind: KeyKind;
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
function LossDialog({ kind, title, prefixes, isLast, label, isPending, onDo, onClose }: LossProps) {
  return (
    <Modal opened onClose={onClose} title={title}>
      <div className="form-stack">
        <p>
          {kind.loss(<code className="mono">{prefixes.map((one) => `${one}…`).join(', ')}</code>)} A key that has ended cannot be brought
          back.
        </p>
        {isLast && <p className="warn">{kind.lastLoss}</p>}
        <DialogEnd label={label} isLoss isPending={isPending} onGo={onDo} onClose={onClose} />
      </div>
    </Modal>
  );
}

function KeyState({ keyView: { isLiving, revokedAt, expiresAt, createdAt } }: { keyView: KeyView }) {
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
