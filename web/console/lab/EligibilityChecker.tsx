import { Button, NativeSelect } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { EligibilityAnswer, EligibilityPage } from '#contract/eligibility.ts';
import { ExactTime, Sentence } from '#web/ui/reporting.tsx';
import { EmptyState, SkeletonLines } from '#web/ui/states.tsx';
import { ApiError } from '../api/client.ts';
import { checkEligibility, eligibilityPageQuery } from '../api/eligibility.ts';
import { HelpButton } from '../shell/HelpButton.tsx';
import { Logo } from '../shell/Logo.tsx';
import { SchemeToggle } from '../shell/SchemeToggle.tsx';
import { FieldInputs, faultsOf } from './FieldInputs.tsx';
import '@mantine/core/styles/Combobox.css';
import './lab.css';

/** Console §2: the eligibility checker, opened by its token alone, without the header. */
export function EligibilityChecker() {
  const { token = '' } = useParams({ strict: false }) as { token?: string };
  const page = useQuery(eligibilityPageQuery(token));
  const isUnknown = page.error instanceof ApiError && page.error.httpStatus === 404;
  return (
    <main className="page narrow checker">
      <title>Eligibility checker · Sluice</title>
      <div className="page-head">
        <Logo size={28} />
        <h1>Eligibility checker</h1>
        {page.data && (
          <span className="muted">
            {page.data.organizationName}, {page.data.verticalName}
          </span>
        )}
        <span className="push">
          <HelpButton />
          <SchemeToggle />
        </span>
      </div>
      {page.isPending && (
        <div className="card card-pad">
          <SkeletonLines count={6} height={24} />
        </div>
      )}
      {page.isError && (
        <div className="card" role="alert">
          <EmptyState
            title={isUnknown ? 'This link opens nothing.' : 'The page could not be loaded.'}
            action={
              !isUnknown && (
                <Button variant="default" size="xs" onClick={() => void page.refetch()}>
                  Try again
                </Button>
              )
            }
          >
            {isUnknown ? 'It is wrong, has ended or was revoked. Ask whoever gave it to you for a new one.' : page.error.message}
          </EmptyState>
        </div>
      )}
      {page.data && <Checker token={token} page={page.data} />}
    </main>
  );
}

function Checker({ token, page }: { token: string; page: EligibilityPage }) {
  const [key, setKey] = useState(page.publisherTiers[0]?.key ?? '');
  const [values, setValues] = useState<Record<string, string>>({});
  const check = useMutation({ mutationFn: (lead: Record<string, string>) => checkEligibility(token, key, given(lead)) });
  const fill = () => setValues(Object.fromEntries(page.fields.map(({ fieldName, sample }) => [fieldName, sample])));
  if (page.publisherTiers.length === 0)
    return (
      <div className="card">
        <EmptyState title="Nothing is left to check.">
          The publisher tiers of this link are not there any more. Ask for a new link.
        </EmptyState>
      </div>
    );
  return (
    <>
      <form
        className="card card-pad form-stack"
        aria-label="Lead to check"
        onSubmit={(event) => {
          event.preventDefault();
          check.mutate(values);
        }}
      >
        <p className="muted lab-lead-in">
          Type a lead and read which buyers could take it now, by their rules as they stand. Leave a field empty where you do not know it.
          Nothing you type is sent to a buyer or kept. The link ends <ExactTime at={page.expiresAt} />.
        </p>
        <div className="lab-choices">
          <NativeSelect
            label="Publisher tier"
            data={page.publisherTiers.map((tier) => ({ value: tier.key, label: tier.name }))}
            value={key}
            onChange={(event) => setKey(event.currentTarget.value)}
          />
        </div>
        <FieldInputs
          fields={page.fields.map((field) => ({ ...field, required: false }))}
          values={values}
          faults={faultsOf(check.data?.errors, check.variables, values)}
          onChange={setValues}
        />
        {check.isError && (
          <div className="form-alert" role="alert">
            {check.error.message}
          </div>
        )}
        <div className="row">
          <Button type="submit" loading={check.isPending}>
            Check
          </Button>
          <Button variant="default" onClick={fill}>
            Fill with plausible values
          </Button>
        </div>
      </form>
      {check.data && <Verdict answer={check.data} />}
    </>
  );
}

const given = (values: Record<string, string>) => Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ''));

function Verdict({ answer: { asOf, isTaken, why, errors, buyerTiers } }: { answer: EligibilityAnswer }) {
  const eligible = buyerTiers.filter((tier) => tier.isEligible).length;
  return (
    <section className="card" aria-labelledby="verdict-title">
      <header>
        <h2 id="verdict-title">
          <span role="status">
            {isTaken ? `${eligible} of ${buyerTiers.length} buyer tiers could take this lead now` : 'The lead would not get to a buyer'}
          </span>
        </h2>
        <span className="muted small push">
          as of <ExactTime at={asOf} />
        </span>
      </header>
      {!isTaken && (
        <p className="card-body bad">
          {why ? <Sentence text={why} /> : `${errors.length === 1 ? 'One field is' : `${errors.length} fields are`} not right yet.`}
        </p>
      )}
      {buyerTiers.length === 0 ? (
        <p className="card-body muted">No buyer stands in the tree of this campaign.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
        <section className="scroll-x" aria-label="Table of buyer tiers" tabIndex={0}>
          <table className="plain-table">
            <thead>
              <tr>
                <th scope="col">Buyer tier</th>
                <th scope="col">Group</th>
                <th scope="col">Now</th>
                <th scope="col">Why</th>
              </tr>
            </thead>
            <tbody>
              {buyerTiers.map((tier, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the order is the tree's, and two tiers may be called the same
                <tr key={at}>
                  <td>
                    {tier.name} <span className="muted small">{tier.buyerName}</span>
                  </td>
                  <td>{tier.groupName}</td>
                  <td>
                    <span className={`pill ${tier.isEligible ? 'good' : 'violet'}`}>{tier.isEligible ? 'Could take it' : 'Could not'}</span>
                  </td>
                  <td>{tier.why && <Sentence text={tier.why} />}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </section>
  );
}
