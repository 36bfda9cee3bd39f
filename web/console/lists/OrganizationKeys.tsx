import { Button, Modal, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { OrganizationKeyView } from '#contract/organization-key.ts';
import { CopyButton } from '#web/ui/CopyButton.tsx';
import { DialogEnd } from '#web/ui/DialogEnd.tsx';
import { TimeAgo } from '#web/ui/reporting.tsx';
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast.ts';
import { getJson, postJson } from '../api/client.ts';
import '../set-up/record-form.css';

const URL = '/api/v1/organization-keys';
const QUERY = ['organization-keys'];

/** Keys with which the organization's own programs fill lists; a new one is shown once. */
export function OrganizationKeys() {
  const client = useQueryClient();
  const keys = useQuery({ queryKey: QUERY, queryFn: () => getJson<{ keys: OrganizationKeyView[] }>(URL) });
  const [name, setName] = useState('');
  const [revoking, setRevoking] = useState<OrganizationKeyView | null>(null);
  const refresh = () => client.invalidateQueries({ queryKey: QUERY });
  const make = useMutation({
    mutationFn: () => postJson<{ key: string; msg: string }>(URL, { name }),
    onSuccess: ({ msg }) => {
      setName('');
      void toast('success', msg);
      void refresh();
    },
    onError: (error) => void toast('error', error.message),
  });
  const revoke = useMutation({
    mutationFn: (id: string) => postJson<{ msg: string }>(`${URL}/${id}/revoke`, {}),
    onSuccess: ({ msg }) => void toast('success', msg),
    onError: (error) => void toast('error', error.message),
    onSettled: () => {
      setRevoking(null);
      return refresh();
    },
  });
  return (
    <section className="belongings" aria-labelledby="organization-keys">
      <div className="set-up-head">
        <h2 id="organization-keys">Keys for your own programs</h2>
      </div>
      <div className="card card-pad form-stack">
        <p className="muted small">
          With a key a program adds and removes entries of any list by{' '}
          <a className="link" href="/docs#/suppression">
            POST /api/v1/suppression/…
          </a>
          , the id of the list being the end of its page’s address.
        </p>
        {make.data && (
          <div className="form-note" role="status">
            <p>
              <strong>Copy the key now: it is not shown again.</strong>
            </p>
            <span className="row">
              <code className="mono">{make.data.key}</code> <CopyButton text={make.data.key} label="Copy the key" />
            </span>
          </div>
        )}
        {keys.isPending && <SkeletonLines count={2} />}
        {keys.isError && <ErrorState error={keys.error} onRetry={() => void keys.refetch()} />}
        {keys.data && keys.data.keys.length > 0 && (
          <ul className="rule-lines">
            {keys.data?.keys.map((key) => (
              <li key={key._id} className="row">
                <code className="mono">{key.hint}…</code> {key.name}
                <span className="muted small">
                  {key.revokedAt ? (
                    <>
                      revoked <TimeAgo at={key.revokedAt} />
                    </>
                  ) : (
                    <>
                      made <TimeAgo at={key.createdAt} />
                    </>
                  )}
                </span>
                {!key.revokedAt && (
                  <Button
                    size="compact-sm"
                    variant="default"
                    className="push"
                    aria-label={`Revoke ${key.name}`}
                    onClick={() => setRevoking(key)}
                  >
                    Revoke
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
        <form
          className="row"
          onSubmit={(event) => {
            event.preventDefault();
            if (name.trim()) make.mutate();
          }}
        >
          <TextInput
            size="sm"
            aria-label="What the key is for"
            placeholder="What it is for"
            maxLength={120}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button type="submit" size="sm" variant="default" loading={make.isPending} disabled={name.trim() === ''}>
            Make a key
          </Button>
        </form>
      </div>
      {revoking && (
        <Modal opened onClose={() => setRevoking(null)} title="Revoke this key?">
          <div className="form-stack">
            <p>
              From now on every call with <code className="mono">{revoking.hint}…</code> ({revoking.name}) is refused. A key that was
              revoked cannot be brought back.
            </p>
            <DialogEnd
              label="Revoke the key"
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
