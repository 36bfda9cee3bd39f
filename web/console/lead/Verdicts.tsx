import type { AttemptView, VerdictView } from '#contract/lead.ts';
import { filterReasonWord, groupModeWord, outcomeWord } from './lead-words.ts';
import { WordText } from './StatusText.tsx';

interface VerdictsProps {
  verdicts: VerdictView[];
  attempts: AttemptView[];
  onOpen: (buyerTierId: string) => void;
}

/** Groups in the order of the tree; a group of the same name further down stays a group of its own. */
export function groupVerdicts(verdicts: readonly VerdictView[]): { name: string; mode: string; lines: VerdictView[] }[] {
  const groups: { name: string; mode: string; lines: VerdictView[] }[] = [];
  for (const verdict of verdicts) {
    const last = groups.at(-1);
    if (last && last.name === verdict.groupName && last.mode === verdict.groupMode) last.lines.push(verdict);
    else groups.push({ name: verdict.groupName, mode: verdict.groupMode, lines: [verdict] });
  }
  return groups;
}

/** One line per buyer tier: sold, or why not. */
export function Verdicts({ verdicts, attempts, onOpen }: VerdictsProps) {
  const asked = new Set(attempts.map((one) => one.buyerTierId));
  return (
    <section className="card part-verdicts" aria-labelledby="verdicts-title">
      <header>
        <h2 id="verdicts-title">Buyer by buyer: sold, or why not</h2>
        {verdicts.length > 0 && (
          <span className="muted small push tabular">
            {verdicts.length} {verdicts.length === 1 ? 'tier' : 'tiers'}, {asked.size} asked
          </span>
        )}
      </header>
      {verdicts.length === 0 ? (
        <p className="card-body story-empty">
          No buyer was considered: the lead was decided before it came to the ping tree, and nothing of this consumer left the house.
        </p>
      ) : (
        <table className="plain-table verdict-table">
          <thead>
            <tr>
              <th scope="col">Buyer tier</th>
              <th scope="col">Outcome</th>
              <th scope="col">Why</th>
            </tr>
          </thead>
          {groupVerdicts(verdicts).map((group, at) => (
            <tbody key={`${group.name} ${group.lines[0]?.buyerTierId}`}>
              <tr className="verdict-group">
                <th scope="rowgroup" colSpan={3}>
                  <span className="group-number">{at + 1}</span> {group.name} <span className="muted">{groupModeWord(group.mode)}</span>
                </th>
              </tr>
              {group.lines.map((line) => (
                <VerdictLine key={line.buyerTierId} line={line} onOpen={asked.has(line.buyerTierId) ? onOpen : null} />
              ))}
            </tbody>
          ))}
        </table>
      )}
    </section>
  );
}

function VerdictLine({ line, onOpen }: { line: VerdictView; onOpen: ((buyerTierId: string) => void) | null }) {
  const rule = filterReasonWord(line.filterReasonKey);
  return (
    <tr className={line.outcome === 'sold' ? 'verdict-sold' : undefined}>
      <th scope="row">
        {onOpen ? (
          <button type="button" className="bare link" onClick={() => onOpen(line.buyerTierId)} title="Go to the attempt">
            {line.buyerTierName}
          </button>
        ) : (
          line.buyerTierName
        )}
        {line.buyerName !== line.buyerTierName && <small className="muted">{line.buyerName}</small>}
      </th>
      <td>
        <WordText word={outcomeWord[line.outcome]} />
      </td>
      <td className="verdict-why">
        {rule && <span className="pill muted">{rule}</span>} {line.text}
      </td>
    </tr>
  );
}
