import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { HelpEntryAnswer } from '#contract/help.ts';
import { ExactTime } from '#web/ui/reporting.tsx';
import { toast } from '#web/ui/toast.ts';
import { restoreHelp } from '../api/help.ts';
import { textsOf } from './help-words.ts';

interface HelpVersionsProps {
  answer: HelpEntryAnswer;
  onChanged: () => void;
}

/** Who changed the entry when, what it said before, and the way back to that. */
export function HelpVersions({ answer, onChanged }: HelpVersionsProps) {
  const { entry, shipped, versions } = answer;
  const restore = useMutation({
    mutationFn: (from: number | 'product') => restoreHelp(entry, from),
    onSuccess: ({ msg }) => void toast('success', msg),
    onError: (error) => void toast('error', error.message),
    onSettled: onChanged,
  });
  return (
    <section className="card card-pad help-versions" aria-label="Versions">
      <h2>Versions</h2>
      {shipped && (
        <div className="help-version">
          <span>What comes with Sluice today</span>
          <Texts kind={entry.kind} version={shipped} />
          <Button size="compact-sm" variant="default" loading={restore.isPending} onClick={() => restore.mutate('product')}>
            Take what comes with Sluice
          </Button>
        </div>
      )}
      <ol>
        {versions.map((version) => (
          <li key={version.version} className="help-version">
            <span>
              <strong>Version {version.version}</strong> {version.isRemoved ? 'removed' : ''} by {version.changedBy},{' '}
              <ExactTime at={version.changedAt} />
            </span>
            <Texts kind={entry.kind} version={version} />
            {version.version === entry.version ? (
              <span className="muted small">{entry.isRemoved ? 'As it is now: removed' : 'As it is now'}</span>
            ) : (
              !version.isRemoved && (
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={`Restore version ${version.version}`}
                  loading={restore.isPending && restore.variables === version.version}
                  onClick={() => restore.mutate(version.version)}
                >
                  Restore
                </Button>
              )
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

type Said = Pick<HelpEntryAnswer['versions'][number], 'tags' | 'body'>;

function Texts({ kind, version }: { kind: HelpEntryAnswer['entry']['kind']; version: Said }) {
  return (
    <details>
      <summary>What it says</summary>
      {textsOf({ kind, body: version.body }).map((text) => (
        <p key={text} className="help-text">
          {text}
        </p>
      ))}
      <p className="muted small">Tags: {version.tags.join(', ') || 'none'}</p>
    </details>
  );
}
