import { Modal, Switch } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { PostingSpecRow } from '#contract/posting-spec.ts';
import { CopyTextButton } from '#web/ui/CopyButton.tsx';
import { DialogEnd } from '#web/ui/DialogEnd.tsx';
import { IconFileText, IconReload } from '#web/ui/icons.ts';
import { toast } from '#web/ui/toast.ts';
import type { Place } from '../api/lead.ts';
import { changeSpec } from '../api/posting-spec.ts';

interface SpecLineProps {
  row: PostingSpecRow;
  place: Place;
  maySetUp: boolean;
}

/** One tier: whether its link opens, and what can be done with it. */
export function SpecLine({ row, place, maySetUp }: SpecLineProps) {
  const client = useQueryClient();
  const [isRenewing, setRenewing] = useState(false);
  const { publisherTierId, publisherName, publisherTierName, campaignName, kind, link, livingKeys, isActive } = row;
  const name = `${publisherName}, ${publisherTierName}`;
  const change = useMutation({
    mutationFn: (to: 'on' | 'off' | 'renew') => changeSpec(publisherTierId, to),
    onSuccess: ({ msg }) => {
      void toast('success', msg);
      return client.invalidateQueries({ queryKey: ['posting-specs'] });
    },
    onError: (error) => void toast('error', error.message),
    onSettled: () => setRenewing(false),
  });
  const keys = livingKeys === 0 ? 'No key yet' : livingKeys === 1 ? '1 key' : `${livingKeys} keys`;
  return (
    <li className="spec-line">
      <div className="spec-name">
        <strong>{name}</strong>
        <span className="muted small">
          {campaignName}
          {!isActive && ' · paused'}
          {kind === 'api' && ' · '}
          {kind === 'api' &&
            (maySetUp ? (
              <Link
                to="/setup/$region/$vertical/tier/edit/$id"
                params={{ ...place, id: publisherTierId }}
                search={{ of: 'publisher' } as never}
                className={livingKeys === 0 ? 'link warn' : 'link'}
              >
                {keys}
              </Link>
            ) : (
              keys
            ))}
        </span>
      </div>
      {kind === 'lander' ? (
        <span className="muted small">Takes leads from landers alone: nobody posts to it.</span>
      ) : (
        <Switch
          label="Opens by a link"
          aria-label={`The specification for ${name} opens by a link`}
          checked={link !== null}
          disabled={change.isPending}
          onChange={(event) => change.mutate(event.currentTarget.checked ? 'on' : 'off')}
        />
      )}
      <div className="spec-tools">
        {link && (
          <>
            <CopyTextButton text={() => link} label="Copy the link" />
            <a className="tool-button" href={link} target="_blank" rel="noreferrer" aria-label={`Open the specification for ${name}`}>
              <IconFileText size={14} aria-hidden /> Open
            </a>
            <button type="button" className="tool-button" aria-label={`New link for ${name}`} onClick={() => setRenewing(true)}>
              <IconReload size={14} aria-hidden /> New link
            </button>
          </>
        )}
      </div>
      {isRenewing && (
        <Modal opened onClose={() => setRenewing(false)} title={`Make a new link for ${name}?`}>
          <div className="form-stack">
            <p>The link that is in force opens nothing from then on: whoever has it needs the new one.</p>
            <DialogEnd
              label="Make the new link"
              isLoss
              isPending={change.isPending}
              onGo={() => change.mutate('renew')}
              onClose={() => setRenewing(false)}
            />
          </div>
        </Modal>
      )}
    </li>
  );
}
