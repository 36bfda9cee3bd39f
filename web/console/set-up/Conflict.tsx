import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { recordChoices } from '../api/choices.ts';
import { fieldWords, valueWords } from './field-words.ts';
import { isBoth, isChangedBy, type ThreeSides, threeSides } from './three-sides.ts';

interface ConflictProps {
  /** As the calls name them. */
  was: Record<string, unknown>;
  theirs: Record<string, unknown>;
  yours: Record<string, unknown>;
  onKeep: () => void;
  onTake: () => void;
}

const intoView = (node: HTMLElement | null): void => node?.scrollIntoView({ block: 'nearest' });

/** Somebody else was quicker: what was there, what is there now and what was typed stand beside each other before anything is lost. */
export function Conflict({ was, theirs, yours, onKeep, onTake }: ConflictProps) {
  const rows = threeSides(was, theirs, yours);
  return (
    <div className="form-alert conflict" role="alert" ref={intoView}>
      <strong>Somebody has changed this while you were editing.</strong>
      {rows.some(isBoth) && <span className="small">Where both of you changed the same, yours would take the place of theirs.</span>}
      <section className="conflict-table" aria-label="What is different">
        <table>
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col">When you began</th>
              <th scope="col">Theirs, now</th>
              <th scope="col">Yours</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.place}>
                <th scope="row">{fieldWords(row.place)}</th>
                <td>
                  <Value place={row.place} value={row.was} />
                </td>
                <Side row={row} side="theirs" />
                <Side row={row} side="yours" />
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <span className="row">
        <Button size="xs" onClick={onKeep}>
          Save my changes on top
        </Button>
        <Button size="xs" variant="default" onClick={onTake}>
          Take theirs
        </Button>
      </span>
    </div>
  );
}

function Side({ row, side }: { row: ThreeSides; side: 'theirs' | 'yours' }) {
  if (!isChangedBy(row, side)) return <td className="muted">unchanged</td>;
  return (
    <td>
      <Value place={row.place} value={row[side]} />
    </td>
  );
}

const NAMED = { publisherId: 'publisher', buyerId: 'buyer', campaignId: 'campaign', serviceId: 'service' } as const;

/** Secrets are told by name alone, records by theirs. */
function Value({ place, value }: { place: string; value: unknown }) {
  const [first] = place.split('.');
  const model = NAMED[place.split('.').at(-1) as keyof typeof NAMED];
  if (first === 'secrets') return value ? 'written anew' : 'nothing';
  if (model && typeof value === 'string' && value !== '') return <RecordName model={model} id={value} />;
  return valueWords(value);
}

function RecordName({ model, id }: { model: (typeof NAMED)[keyof typeof NAMED]; id: string }) {
  const source = recordChoices(model);
  const { data, isPending } = useQuery({ queryKey: [...source.key, 'get', id], queryFn: ({ signal }) => source.get(id, signal) });
  return isPending ? '…' : (data?.label ?? 'Not there any more');
}
