import { Button, Modal } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { AbTestAnswer } from '#contract/ab-test.ts';
import { DialogEnd } from '#web/ui/DialogEnd.tsx';
import { formatCount } from '#web/ui/format.ts';
import { IconAlertTriangle, IconInfoCircle } from '#web/ui/icons.ts';
import { AmountInput } from '#web/ui/inputs/AmountInput.tsx';
import { ExactTime, TimeAgo, useReporting } from '#web/ui/reporting.tsx';
import { toast } from '#web/ui/toast.ts';
import { abTestQuery, promoteVariant, stepTest } from '../api/ab-test.ts';
import { ResultTable } from './ResultTable.tsx';
import { meanOf, neededFor, tellFinding, tellLeft, tellVariant, VERDICT } from './test-words.ts';

/** A test that runs or ran: what came of its variants, what to make of it, and how it ends. */
export function TestResult({ answer }: { answer: AbTestAnswer }) {
  const { test, results, splitDoubt, changes } = answer;
  const [asking, setAsking] = useState<'stop' | { promote: string }>();
  const leads = results.reduce((sum, result) => sum + result.leads, 0);
  const mayPromote = answer.mayPromote && test.promotedVariantId === null;
  return (
    <>
      <section className="card findings" aria-label="Finding">
        {test.variants.slice(1).map(({ _id, name }, at) => {
          const result = results[at + 1]!;
          const { label, tone } = VERDICT[result.against?.verdict ?? 'open'];
          return (
            <p key={_id}>
              <span className={`pill ${tone}`}>{label}</span> {tellFinding(name, result, test.metric, meanOf(results[0]!, test.metric))}
            </p>
          );
        })}
      </section>
      <section className="card" aria-label="Result">
        <ResultTable answer={answer} onPromote={mayPromote ? (promote) => setAsking({ promote }) : undefined} />
        {leads === 0 && <p className="muted card-body">No lead of this campaign has reached a tree since the start.</p>}
      </section>
      <Plan answer={answer} leads={leads} />
      <section className="card test-notes" aria-label="How to read it">
        <ul>
          {answer.problem && (
            <li>
              <IconAlertTriangle size={17} className="bad" aria-hidden />
              <span>
                <strong>Nobody is split at the moment:</strong> {answer.problem}. All leads go by the live campaign.
              </span>
            </li>
          )}
          {splitDoubt && (
            <li>
              <IconAlertTriangle size={17} className="bad" aria-hidden />
              <span>
                <strong>Do not trust this test.</strong> The leads fell more unevenly than the shares say; luck alone does that in less than
                1 of {formatCount(Math.min(1_000_000_000, Math.floor(1 / Math.max(splitDoubt.likelihood, 1e-9))))} tests. Something lets one
                variant lose leads before they are counted.
              </span>
            </li>
          )}
          {changes.length > 0 && (
            <li>
              <IconAlertTriangle size={17} className="warn" aria-hidden />
              <span>
                The live campaign was changed while the test ran, so the control is not one thing, nor are variants that follow it:{' '}
                {changes.map(({ at, by, what }, index) => (
                  <span key={`${at} ${what}`}>
                    {index > 0 && '; '}
                    {by} {what} <TimeAgo at={at} />
                  </span>
                ))}
                .
              </span>
            </li>
          )}
          <li>
            <IconInfoCircle size={17} className="info" aria-hidden />
            <span>
              Look as often as you like: “better” and “worse” go by the interval in brackets, which is right at every look. The one that is
              “looked at only once” is narrower, and right only for a single look that was planned before.
              {test.variants.length > 2 &&
                ` With ${test.variants.length - 1} variants each has to be surer, so that all together are wrong in at most 1 of 20 tests.`}
            </span>
          </li>
          <li>
            <IconInfoCircle size={17} className="info" aria-hidden />
            <span>
              Caps, breakers, hours and filters of buyer tiers are shared by all variants: one that sells more can fill a cap for the
              others. Test leads, pings and leads that never reached a tree are left out.
            </span>
          </li>
        </ul>
      </section>
      <Variants answer={answer} />
      {test.status === 'running' && (
        <div className="row test-end">
          <Button color="red" variant="light" onClick={() => setAsking('stop')}>
            Stop the test…
          </Button>
          {!answer.mayPromote && <span className="muted small">To promote a winner takes the page Set-up in this vertical.</span>}
        </div>
      )}
      {asking === 'stop' && <StopDialog answer={answer} onClose={() => setAsking(undefined)} />}
      {typeof asking === 'object' && <PromoteDialog answer={answer} variantId={asking.promote} onClose={() => setAsking(undefined)} />}
    </>
  );
}

function Plan({ answer, leads }: { answer: AbTestAnswer; leads: number }) {
  const { test, leadsNeeded } = answer;
  const [effect, setEffect] = useState(String(test.minimumEffect));
  const planned = test.plannedLeads ?? leadsNeeded;
  const wanted = Number(effect) > 0 && leadsNeeded !== null ? neededFor(leadsNeeded, test.minimumEffect, Number(effect)) : null;
  return (
    <section className="card test-plan" aria-label="Plan">
      {planned !== null && (
        <div>
          <progress value={Math.min(leads, planned)} max={planned} aria-label="Leads of the plan" />
          <p>
            <strong className="tabular">{formatCount(leads)}</strong> of {formatCount(planned)} leads
            {test.plannedLeads !== null && ' that were planned at the start'}.{' '}
            {test.status === 'running' && tellLeft(answer, leads, planned)}
          </p>
        </div>
      )}
      <div className="test-wanted">
        <AmountInput label="To find an effect of" unit="%" value={effect} onChange={setEffect} />
        <p className="muted" role="status">
          {wanted === null
            ? 'Too few leads of the control to say how many that takes.'
            : `takes ${formatCount(wanted)} leads by what is known now${wanted > leads ? `, ${formatCount(wanted - leads)} more` : ': they are there'}. Such an effect is then found in 8 of 10 tests.`}
        </p>
      </div>
    </section>
  );
}

function Variants({ answer: { test } }: { answer: AbTestAnswer }) {
  const { currency } = useReporting();
  return (
    <section className="card" aria-labelledby="variants-title">
      <header>
        <h2 id="variants-title">Variants</h2>
      </header>
      <dl className="card-body variant-list">
        {test.variants.map((variant, at) => (
          <div key={variant._id}>
            <dt>{variant.name}</dt>
            <dd>
              {at === 0
                ? 'The live campaign, as it is at the moment.'
                : tellVariant(variant, currency).join(' ') || 'Changes nothing: it shows what luck alone does.'}{' '}
              {variant.tree && <span className="muted small">{variant.tree.from}.</span>}
            </dd>
          </div>
        ))}
      </dl>
      {test.startedAt && (
        <p className="muted small card-body">
          Started by {test.startedBy} <ExactTime at={test.startedAt} />
          {test.stoppedAt && (
            <>
              , stopped by {test.stoppedBy} <ExactTime at={test.stoppedAt} />
            </>
          )}
          .
        </p>
      )}
    </section>
  );
}

interface DialogProps {
  answer: AbTestAnswer;
  onClose: () => void;
}

/** Sends the step; what the server refuses stands in the dialog, and the page shows what is new. */
function useStep(answer: AbTestAnswer, onClose: () => void) {
  const client = useQueryClient();
  return {
    onSuccess: async (changed: AbTestAnswer & { msg: string }) => {
      void toast('success', changed.msg);
      onClose();
      await client.invalidateQueries({ queryKey: ['ab-tests'] });
    },
    onError: () => void client.invalidateQueries({ queryKey: abTestQuery(answer.test._id).queryKey }),
  };
}

function StopDialog({ answer: { test }, answer, onClose }: DialogProps) {
  const stop = useMutation({ mutationFn: () => stepTest(test._id, 'stop', test.version), ...useStep(answer, onClose) });
  return (
    <Modal opened onClose={onClose} title={`Stop the test ${test.name}?`} size="md">
      <div className="form-stack test-dialog">
        <p>From the next lead on everybody goes by the live campaign. The figures stay; the test cannot be started again.</p>
        <DialogEnd
          label="Stop the test"
          isLoss
          isPending={stop.isPending}
          error={stop.error}
          onGo={() => stop.mutate()}
          onClose={onClose}
        />
      </div>
    </Modal>
  );
}

function PromoteDialog({ answer: { test, results, state }, answer, variantId, onClose }: DialogProps & { variantId: string }) {
  const { currency } = useReporting();
  const variant = test.variants.find(({ _id }) => _id === variantId)!;
  const verdict = results.find((one) => one.variantId === variantId)?.against?.verdict;
  const promote = useMutation({
    mutationFn: () => promoteVariant(test._id, { variantId, version: test.version, state }),
    ...useStep(answer, onClose),
  });
  const lines = tellVariant(variant, currency);
  return (
    <Modal opened onClose={onClose} title={`Promote ${variant.name} to live?`} size="lg">
      <div className="form-stack test-dialog">
        <p>From the next lead on, for the whole campaign:</p>
        <ul className="promote-lines">
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
          {variant.tree && <li>The tree is published and can be rolled back in flow control. A draft there stays a draft.</li>}
          {test.status === 'running' && <li>The test stops.</li>}
        </ul>
        {verdict !== 'better' && (
          <p className="form-note">
            {verdict === 'worse' ? 'It did worse than the control.' : 'It is not known yet whether it is better than the control.'}
          </p>
        )}
        <DialogEnd
          label={`Promote ${variant.name}`}
          isPending={promote.isPending}
          error={promote.error}
          onGo={() => promote.mutate()}
          onClose={onClose}
        />
      </div>
    </Modal>
  );
}
