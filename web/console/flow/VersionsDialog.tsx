import { Button, Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { TreeAnswer, TreeVersionAnswer } from '#contract/tree.ts';
import { DialogEnd } from '#web/ui/DialogEnd.tsx';
import { ExactTime } from '#web/ui/reporting.tsx';
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { treeVersionQuery } from '../api/tree.ts';

type Version = TreeAnswer['versions'][number];

interface VersionsProps {
  campaignId: string;
  versions: Version[];
  /** What that tree would change of the live tree, in sentences. */
  compare: (version: TreeVersionAnswer) => string[];
  hasDraft: boolean;
  isPending: boolean;
  onRollBack: (versionId: string) => void;
  onClose: () => void;
}

/** Trees that were live before; going back to one is confirmed with what it changes. */
export function VersionsDialog({ versions, onClose, ...rest }: VersionsProps) {
  const [chosen, setChosen] = useState<Version | null>(null);
  if (chosen)
    return (
      <Modal opened onClose={onClose} title="Roll back to this tree?" size="lg">
        <BackTo {...rest} version={chosen} onBack={() => setChosen(null)} />
      </Modal>
    );
  return (
    <Modal opened onClose={onClose} title="Earlier trees" size="lg">
      {versions.length === 0 && (
        <p className="muted">Nothing was published from here yet. The first publishing keeps the tree of before as well.</p>
      )}
      <ol className="flow-versions">
        {versions.map((version, at) => (
          <li key={version._id}>
            <Published version={version} />
            {at === 0 ? (
              <span className="pill good">Live</span>
            ) : (
              <Button size="xs" variant="default" onClick={() => setChosen(version)}>
                Roll back to this…
              </Button>
            )}
          </li>
        ))}
      </ol>
    </Modal>
  );
}

const Published = ({ version: { publishedAt, publishedBy, note } }: { version: Version }) => (
  <span>
    <strong>
      <ExactTime at={publishedAt} />
    </strong>{' '}
    by {publishedBy}
    {note && <span className="muted small"> {note}</span>}
  </span>
);

type BackToProps = Omit<VersionsProps, 'versions' | 'onClose'> & { version: Version; onBack: () => void };

function BackTo({ campaignId, version, compare, hasDraft, isPending, onRollBack, onBack }: BackToProps) {
  const tree = useQuery(treeVersionQuery(campaignId, version._id));
  if (tree.isPending) return <SkeletonLines count={3} />;
  if (tree.isError) return <ErrorState error={tree.error} onRetry={() => void tree.refetch()} />;
  const lines = compare(tree.data);
  return (
    <div className="form-stack">
      <p>
        <Published version={version} />
      </p>
      {lines.length === 0 ? (
        <p>It is the same as the tree that is live: nothing would change.</p>
      ) : (
        <>
          <p>From the next lead on:</p>
          <ul className="flow-lines">
            {lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
          <p className="muted small">The tree that is live now stays among the earlier trees.{hasDraft && ' The draft stays as it is.'}</p>
        </>
      )}
      <DialogEnd
        label="Roll back"
        isPending={isPending}
        isBarred={lines.length === 0}
        onGo={() => onRollBack(version._id)}
        back="Back to the list"
        onClose={onBack}
      />
    </div>
  );
}
