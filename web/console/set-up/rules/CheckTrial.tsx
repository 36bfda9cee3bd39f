import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ownValue } from '#contract/field-name.ts';
import { fieldsOfCheck, type TryCheckAnswer } from '#contract/pre-check.ts';
import { postJson } from '../../api/client.ts';
import type { FieldRow } from './filter-words.ts';
import { type CheckDraft, checkDraftFault, toPreCheck } from './pre-check-text.ts';

/** What the check says of values that are typed here; nothing of it is kept. */
export function CheckTrial({ draft, fields, verticalId }: { draft: CheckDraft; fields: readonly FieldRow[]; verticalId: string }) {
  const [lead, setLead] = useState<Record<string, string>>({});
  const looked = fieldsOfCheck(toPreCheck(draft)).filter(({ field }) => field !== '');
  const given = Object.fromEntries(looked.map(({ field }) => [field, ownValue(lead, field) ?? '']));
  const ask = useMutation({
    mutationFn: () => postJson<TryCheckAnswer>('/api/console/service/try-check', { verticalId, check: toPreCheck(draft), lead: given }),
  });
  const { data } = ask;
  const fault = checkDraftFault(draft);
  return (
    <section aria-label="Try the check" className="form-stack">
      <div className="form-three">
        {looked.map(({ field }) => (
          <TextInput
            key={field}
            label={`${fields.find((one) => one.fieldName === field)?.fieldHumanName ?? field} to try`}
            maxLength={500}
            value={given[field] ?? ''}
            onChange={(event) => setLead({ ...lead, [field]: event.currentTarget.value })}
          />
        ))}
      </div>
      <div className="row">
        <Button size="xs" variant="default" disabled={fault !== null} loading={ask.isPending} onClick={() => ask.mutate()}>
          Try it
        </Button>
        {fault !== null && <span className="muted small">{fault}</span>}
        {data && !ask.error && (
          <span role="status">
            <span className={`pill ${data.outcome === 'passed' ? 'good' : 'bad'}`}>{data.outcome === 'passed' ? 'Passed' : 'Refused'}</span>{' '}
            <span className="small">{data.reason}</span>
          </span>
        )}
        {ask.error && (
          <span className="bad small" role="alert">
            {ask.error.message}
          </span>
        )}
      </div>
    </section>
  );
}
