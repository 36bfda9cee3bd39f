import type { LeadView, VerdictView } from '#contract/lead.ts';
import { Sentence } from '#web/ui/reporting.tsx';
import { filterReasonWord, groupModeWord, wordOfVerdict } from './lead-words.ts';
import { WordText } from './StatusText.tsx';
import { groupVerdicts, isBeforeTree, withoutRule } from './verdict-sum.ts';

interface VerdictsProps {
  lead: LeadView;
  onOpen: (buyerTierId: string) => void;
}

/** A test lead without a test value walks the tree and stops before each buyer, which is worth reading. */
const WALKED_AS_TEST = 'test-not-sent';

/** One line per buyer tier: sold, or why not. */
export function Verdicts({ lead: { verdicts, attemptList, checks, status, steps }, onOpen }: VerdictsProps) {
  // Not decided yet: nothing can be said of buyers that are still to come.
  const underWay = status === 'received';
  const asked = new Set(attemptList.map((one) => one.buyerTierId));
  const withCalls = new Set([...asked, ...checks.flatMap((one) => one.buyerTierId ?? [])]);
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
      {isBeforeTree(verdicts) && !steps.some(({ code }) => code === WALKED_AS_TEST) ? (
        <BeforeTree verdicts={verdicts} underWay={underWay} wasAsked={asked.size > 0} />
      ) : (
        <VerdictTable verdicts={verdicts} withCalls={withCalls} onOpen={onOpen} />
      )}
    </section>
  );
}

function BeforeTree({ verdicts, underWay, wasAsked }: { verdicts: VerdictView[]; underWay: boolean; wasAsked: boolean }) {
  const why = wasAsked
    ? 'The lead was interrupted in the ping tree: what had been sent to buyers by then stands under Attempts.'
    : 'No buyer was considered: the lead was decided before it came to the ping tree.';
  return (
    <div className="card-body not-reached">
      <p>{underWay ? 'The lead is still on its way through the ping tree.' : why}</p>
      {verdicts.length > 0 && (
        <details>
          <summary>{verdicts.length === 1 ? 'Show the buyer tier' : `Show the ${verdicts.length} buyer tiers`}</summary>
          <ul>
            {verdicts.map((one) => (
              <li key={one.buyerTierId}>
                {one.buyerTierName} <span className="muted">{one.groupName}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

interface VerdictTableProps {
  verdicts: VerdictView[];
  /** Tiers for which somebody was called, and which therefore lead to a conversation. */
  withCalls: ReadonlySet<string>;
  onOpen: (buyerTierId: string) => void;
}

function VerdictTable({ verdicts, withCalls, onOpen }: VerdictTableProps) {
  return (
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
            <VerdictLine key={line.buyerTierId} line={line} onOpen={withCalls.has(line.buyerTierId) ? onOpen : null} />
          ))}
        </tbody>
      ))}
    </table>
  );
}

function VerdictLine({ line, onOpen }: { line: VerdictView; onOpen: ((buyerTierId: string) => void) | null }) {
  const rule = filterReasonWord(line);
  return (
    <tr className={line.outcome === 'sold' ? 'verdict-sold' : undefined}>
      <th scope="row">
        {onOpen ? (
          <button type="button" className="bare link" onClick={() => onOpen(line.buyerTierId)} title="Go to the conversation">
            {line.buyerTierName}
          </button>
        ) : (
          line.buyerTierName
        )}
        {line.buyerName !== line.buyerTierName && <small className="muted">{line.buyerName}</small>}
      </th>
      <td>
        <WordText word={wordOfVerdict(line)} />
      </td>
      <td className="verdict-why">
        {rule && <span className="pill muted">{rule}</span>} <Sentence text={withoutRule(line.text, rule)} />
      </td>
    </tr>
  );
}
