import { Button } from '@mantine/core';

interface TreeConflictProps {
  /** What others did since the drawing began, and what was drawn here, in sentences. */
  theirs: string[];
  mine: string[];
  onKeep: () => void;
  onTake: () => void;
}

/** Somebody else was quicker: both sides are shown, and nothing is lost before one of them is chosen. */
export function TreeConflict({ theirs, mine, onKeep, onTake }: TreeConflictProps) {
  return (
    <div className="form-alert flow-conflict" role="alert">
      <strong>Somebody has changed this tree while you were drawing.</strong>
      <div className="flow-conflict-sides">
        <Side title="They changed" lines={theirs} nothing="The same tree, published or saved again." />
        <Side title="You changed" lines={mine} nothing="Nothing." />
      </div>
      <span className="row">
        <Button size="xs" onClick={onKeep}>
          Keep my tree
        </Button>
        <Button size="xs" variant="default" onClick={onTake}>
          Take theirs
        </Button>
      </span>
    </div>
  );
}

function Side({ title, lines, nothing }: { title: string; lines: string[]; nothing: string }) {
  return (
    <section>
      <h2>{title}</h2>
      {lines.length === 0 ? (
        <p className="small">{nothing}</p>
      ) : (
        <ul className="flow-lines small">
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </section>
  );
}
