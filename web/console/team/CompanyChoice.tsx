import { NativeSelect } from '@mantine/core';
import type { BoundTo } from '#contract/session.ts';
import { ChoiceSelect } from '#web/ui/ChoiceSelect.tsx';
import { recordChoices } from '../api/choices.ts';

/** `companyId`: '' until one is chosen. */
export type CompanyDraft = { kind: 'none' } | BoundTo;

const KINDS = [
  { value: 'none', label: 'The pages that are ticked' },
  { value: 'buyer', label: 'The portal of one buyer' },
  { value: 'publisher', label: 'The portal of one publisher' },
];

/** What may be sent: nobody, or a company that is chosen; undefined while one is not. */
export const boundOf = (draft: CompanyDraft): BoundTo | null | undefined =>
  draft.kind === 'none' ? null : draft.companyId === '' ? undefined : draft;

interface CompanyChoiceProps {
  value: CompanyDraft;
  onChange: (value: CompanyDraft) => void;
  error?: string | undefined;
}

/** Whether somebody sees pages of the console, or the portal of one buyer or publisher. */
export function CompanyChoice({ value, onChange, error }: CompanyChoiceProps) {
  const kind = value.kind;
  return (
    <div className="form-pair">
      <NativeSelect
        label="Sees"
        data={KINDS}
        value={kind}
        onChange={(event) => {
          const next = event.currentTarget.value as CompanyDraft['kind'];
          onChange(next === 'none' ? { kind: 'none' } : { kind: next, companyId: '' });
        }}
      />
      {kind !== 'none' && (
        <ChoiceSelect
          key={kind}
          source={recordChoices(kind)}
          label={kind === 'buyer' ? 'Buyer' : 'Publisher'}
          value={value.companyId}
          emptyText={`No ${kind}s found.`}
          onChange={(companyId) => onChange({ kind, companyId })}
          error={error}
        />
      )}
    </div>
  );
}
