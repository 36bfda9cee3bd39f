import { NativeSelect, Select, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { MarginView } from '#contract/tier.ts';
import { AmountInput } from '#web/ui/inputs/AmountInput.tsx';
import { DigitsInput } from '#web/ui/inputs/DigitsInput.tsx';
import { toast } from '#web/ui/toast.ts';
import type { RecordRow } from '../api/record.ts';
import { copyTree } from '../api/tree.ts';
import { message } from '../message.ts';
import { Belongings } from './Belongings.tsx';
import { checkGiven } from './check-given.ts';
import { DuplicateNote } from './DuplicateNote.tsx';
import { EditPage } from './EditPage.tsx';
import { FormSection } from './FormSection.tsx';
import { fieldsQuery } from './fields-query.ts';
import { usePlaceIds } from './place-ids.ts';
import { RecordForm } from './RecordForm.tsx';
import { publisherTiers } from './specs.tsx';
import { statusOptionsOf } from './status-options.ts';
import { UniqueInput } from './UniqueInput.tsx';

const OUTCOMES = ['sold', 'rejected', 'timeout', 'error'] as const;
interface Values {
  name: string;
  notes: string;
  status: string;
  marginKind: MarginView['kind'];
  marginValue: string;
  floor: string;
  maxSales: string;
  timeLimitMs: string;
  testField: string;
  sold: string;
  rejected: string;
  timeout: string;
  error: string;
}
const initial: Values = {
  ...{ name: '', notes: '', status: 'active', marginKind: 'percent', marginValue: '20', floor: '', maxSales: '1', timeLimitMs: '30000' },
  ...{ testField: '', sold: '', rejected: '', timeout: '', error: '' },
};

function toValues(row: RecordRow): Values {
  const margin = row.margin as MarginView;
  const test = (row.testValues ?? {}) as Record<string, string>;
  return {
    name: String(row.name),
    notes: String(row.notes),
    status: String(row.status),
    marginKind: margin.kind,
    marginValue: margin.kind === 'percent' ? String(margin.percent) : margin.amount,
    floor: row.floor === null ? '' : String(row.floor),
    maxSales: String(row.maxSales),
    timeLimitMs: String(row.timeLimitMs),
    testField: test.field ?? '',
    ...(Object.fromEntries(OUTCOMES.map((one) => [one, test[one] ?? ''])) as Record<(typeof OUTCOMES)[number], string>),
  };
}

function toData(values: Values): Record<string, unknown> {
  const { name, notes, status, marginKind, marginValue, floor, maxSales, timeLimitMs, testField } = values;
  const given = OUTCOMES.filter((one) => values[one] !== '').map((one) => [one, values[one]]);
  return {
    name,
    notes,
    status,
    margin: marginKind === 'percent' ? { kind: 'percent', percent: Number(marginValue) } : { kind: 'fixed', amount: marginValue },
    floor: floor === '' ? null : floor,
    maxSales: Number(maxSales),
    timeLimitMs: Number(timeLimitMs),
    testValues: testField === '' ? null : { field: testField, ...Object.fromEntries(given) },
  };
}

/** A campaign: what we keep, how often a lead is sold, and who posts to it. Its tree has a page of its own. */
export function CampaignPage() {
  const { id } = useParams({ strict: false });
  const { place, verticalId } = usePlaceIds();
  const fields = useQuery(fieldsQuery(verticalId));
  const navigate = useNavigate();
  const base = `/setup/${place.region}/${place.vertical}`;
  /** A new campaign is gone on with on its own page; one that is like another in flow control, where its draft waits. */
  async function begin(newId: string, like: RecordRow | undefined) {
    if (!like) return void navigate({ href: `${base}/campaigns/${newId}` });
    try {
      await copyTree(like._id, newId);
      void toast('success', message('treeCopied'));
    } catch {
      void toast('error', message('treeNotCopied'));
    }
    void navigate({ href: `${base}/flow-control?campaign=${newId}` });
  }
  return (
    <EditPage model="campaign" label="Campaign" id={id} list={{ path: 'campaigns', label: 'Campaigns' }}>
      {({ row, like, toList }) => (
        <>
          {like && (
            <DuplicateNote>
              The ping tree of {String(like.name)} comes along as a draft: no lead goes by it before you publish it in flow control. Its
              publisher tiers and their posting keys stay where they are.
            </DuplicateNote>
          )}
          <RecordForm
            key={row?._id ?? like?._id}
            model="campaign"
            one="campaign"
            row={row}
            isCopy={like !== undefined}
            toValues={toValues}
            initial={like ? { ...toValues(like), name: `${like.name} copy` } : initial}
            toData={(values) => ({ ...toData(values), ...(!row && { verticalId }) })}
            inputOf={{ margin: 'marginValue', testValues: 'testField' }}
            validate={{ name: checkGiven, marginValue: checkGiven, maxSales: checkGiven, timeLimitMs: checkGiven }}
            onSaved={(saved) => (row ? toList() : void begin(saved._id, like))}
            onCancel={toList}
          >
            {(form) => (
              <>
                <FormSection title="Campaign">
                  <div className="form-three">
                    <UniqueInput
                      {...form.getInputProps('name')}
                      unique={{ model: 'campaign', field: 'name', within: { field: 'verticalId', id: verticalId }, id: row?._id }}
                      label="Name"
                      maxLength={120}
                    />
                    <NativeSelect {...form.getInputProps('status')} label="Status" data={statusOptionsOf(row)} />
                    <DigitsInput {...form.getInputProps('maxSales')} label="Buyers at most per lead" description="1 sells exclusively." />
                    <DigitsInput
                      {...form.getInputProps('timeLimitMs')}
                      label="Time for the whole tree"
                      unit="ms"
                      description="Less where the publisher waits less."
                    />
                  </div>
                  <Textarea {...form.getInputProps('notes')} label="Notes" autosize minRows={2} maxLength={500} />
                </FormSection>
                <FormSection title="What we keep" says="A buyer tier that would leave less than this is not asked.">
                  <div className="form-three">
                    <NativeSelect
                      {...form.getInputProps('marginKind')}
                      label="Margin"
                      data={[
                        { value: 'percent', label: 'Percent of the revenue' },
                        { value: 'fixed', label: 'An amount per lead' },
                      ]}
                    />
                    <AmountInput
                      {...form.getInputProps('marginValue')}
                      label={form.values.marginKind === 'percent' ? 'Percent' : 'Amount'}
                      {...(form.values.marginKind === 'percent' && { unit: '%' })}
                    />
                    <AmountInput {...form.getInputProps('floor')} label="Floor" description="Prices and bids under it are not taken." />
                  </div>
                </FormSection>
                <FormSection title="Test values" says="A lead with one of these values ends as said, without touching a buyer.">
                  <Select
                    {...form.getInputProps('testField')}
                    label="Field"
                    placeholder="None"
                    clearable
                    onChange={(name) => form.setFieldValue('testField', name ?? '')}
                    value={form.values.testField || null}
                    data={(fields.data?.data ?? []).map((one) => ({ value: one.fieldName, label: one.fieldHumanName }))}
                  />
                  {form.values.testField !== '' && (
                    <div className="form-three">
                      <TextInput {...form.getInputProps('sold')} label="Sold when" maxLength={200} />
                      <TextInput {...form.getInputProps('rejected')} label="Declined when" maxLength={200} />
                      <TextInput {...form.getInputProps('timeout')} label="Timed out when" maxLength={200} />
                      <TextInput {...form.getInputProps('error')} label="Error when" maxLength={200} />
                    </div>
                  )}
                </FormSection>
              </>
            )}
          </RecordForm>
          {row && (
            <Belongings
              list="tiers"
              title="Publisher tiers"
              spec={publisherTiers}
              condition={{ campaignId: row._id }}
              add={row.status === 'archived' ? undefined : `tier/add?campaignId=${row._id}`}
              edit="tier/edit"
              suffix="?of=publisher"
            />
          )}
        </>
      )}
    </EditPage>
  );
}
