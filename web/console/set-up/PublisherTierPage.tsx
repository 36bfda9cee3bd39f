import { NativeSelect, Switch, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { OutsideCheckRule } from '#contract/service.ts';
import type { PublisherTierKind } from '#contract/tier.ts';
import { ChoiceSelect } from '#web/ui/ChoiceSelect.tsx';
import { DigitsInput } from '#web/ui/inputs/DigitsInput.tsx';
import { recordChoices } from '../api/choices.ts';
import type { RecordRow } from '../api/record.ts';
import { usePermissionHere } from '../shell/use-place.ts';
import { PostingKeys } from './AccessKeys.tsx';
import { checkAddresses, checkGiven } from './check-given.ts';
import { DuplicateNote } from './DuplicateNote.tsx';
import { EditPage } from './EditPage.tsx';
import { FormSection } from './FormSection.tsx';
import { fieldsQuery } from './fields-query.ts';
import { LandersOf } from './LandersOf.tsx';
import { NEW_PRICE, PriceModelInputs, type PriceValues, toPriceModel, toPriceValues } from './PriceModelInputs.tsx';
import { usePlaceIds } from './place-ids.ts';
import { RecordForm, type RecordFormState } from './RecordForm.tsx';
import { type CheckText, checkCheck, OutsideCheckEditor, toCheck, toCheckText } from './rules/OutsideCheckEditor.tsx';
import { checkRules, noRules, RuleSections, type RuleValues, toRuleData, toRuleValues } from './rules/RuleSections.tsx';
import { TextList } from './rules/TextList.tsx';
import { ADDRESS_LIST } from './rules/value-list.ts';
import { statusOptionsOf } from './status-options.ts';
import { TIER_KIND_OPTIONS } from './tier-kind.ts';

interface Values extends RuleValues, PriceValues {
  name: string;
  kind: PublisherTierKind;
  notes: string;
  publisherId: string;
  campaignId: string;
  subId: string;
  status: string;
  p2c: CheckText | null;
  ipAllow: string[];
  terse: boolean;
  rawRedirect: boolean;
  always200: boolean;
  returnsReducePayout: boolean;
  pingsPerMinute: string;
}

function toValues(row: RecordRow): Values {
  return {
    ...toRuleValues(row),
    ...toPriceValues(row),
    name: String(row.name),
    kind: row.kind as PublisherTierKind,
    notes: String(row.notes),
    publisherId: String(row.publisherId),
    campaignId: String(row.campaignId),
    subId: String(row.subId),
    status: String(row.status),
    p2c: toCheckText(row.p2c as OutsideCheckRule | null),
    ipAllow: row.ipAllow as string[],
    terse: Boolean(row.terse),
    rawRedirect: Boolean(row.rawRedirect),
    always200: Boolean(row.always200),
    returnsReducePayout: Boolean(row.returnsReducePayout),
    pingsPerMinute: row.pingsPerMinute === null ? '' : String(row.pingsPerMinute),
  };
}

const initial = (publisherId: string, campaignId: string): Values => ({
  ...noRules(),
  ...NEW_PRICE,
  ...{ name: '', kind: 'api', notes: '', publisherId, campaignId, subId: '', status: 'active' },
  ...{ p2c: null, ipAllow: [], terse: false, rawRedirect: false, always200: false, returnsReducePayout: true, pingsPerMinute: '' },
});

function toData(values: Values, isNew: boolean): Record<string, unknown> {
  const { name, kind, notes, publisherId, campaignId, subId, status, ipAllow, terse, rawRedirect, always200, pingsPerMinute } = values;
  return {
    ...toRuleData(values),
    ...{ name, kind, notes, campaignId, subId, status, ipAllow, terse, rawRedirect, always200 },
    priceModel: toPriceModel(values),
    returnsReducePayout: values.returnsReducePayout,
    p2c: toCheck(values.p2c),
    pingsPerMinute: pingsPerMinute === '' ? null : Number(pingsPerMinute),
    ...(isNew && { publisherId }),
  };
}

interface PublisherTierPageProps {
  id?: string | undefined;
  publisherId?: string | undefined;
  campaignId?: string | undefined;
}

/** One publisher's seat in one campaign. */
export function PublisherTierPage({ id, publisherId = '', campaignId = '' }: PublisherTierPageProps) {
  const { place, verticalId, timeZone } = usePlaceIds();
  const navigate = useNavigate();
  const fields = useQuery(fieldsQuery(verticalId));
  const mayApi = usePermissionHere()?.pageStatePermission['features-api'];
  return (
    <EditPage model="publisherTier" label="Publisher tier" id={id} list={{ path: 'publishers', label: 'Publishers' }}>
      {({ row, like, toList }) => {
        const back = () =>
          void navigate({ href: `/setup/${place.region}/${place.vertical}/publishers/${row?.publisherId ?? publisherId}` });
        const toCampaign = () => void navigate({ href: `/setup/${place.region}/${place.vertical}/campaigns/${campaignId}` });
        return (
          <>
            <RecordForm
              key={row?._id ?? like?._id}
              model="publisherTier"
              one="publisher tier"
              row={row}
              isCopy={like !== undefined}
              toValues={toValues}
              initial={like ? { ...toValues(like), name: `${like.name} copy` } : initial(publisherId, campaignId)}
              toData={(values) => toData(values, !row)}
              inputOf={{ priceModel: 'priceValue' }}
              validate={{
                ...checkRules,
                p2c: checkCheck,
                ipAllow: checkAddresses,
                name: checkGiven,
                priceValue: checkGiven,
                publisherId: (one) => (one === '' ? 'Choose a publisher.' : null),
                campaignId: (one) => (one === '' ? 'Choose a campaign.' : null),
              }}
              onSaved={(saved) =>
                row ? back() : void navigate({ href: `/setup/${place.region}/${place.vertical}/tier/edit/${saved._id}?of=publisher` })
              }
              onCancel={row || publisherId ? back : campaignId ? toCampaign : toList}
            >
              {(form) => (
                <>
                  {like && (
                    <DuplicateNote>
                      {like.kind === 'lander'
                        ? 'Cards stay with the tier they name: no lander sends leads to the new one before a card is given it.'
                        : 'Posting keys are not copied: nobody can post to the new tier before you make a key for it, which its page offers once it is added.'}
                    </DuplicateNote>
                  )}
                  <FormSection title="Publisher tier">
                    <div className="form-three">
                      <TextInput {...form.getInputProps('name')} label="Name" maxLength={120} />
                      <ChoiceSelect
                        {...form.getInputProps('publisherId')}
                        label="Publisher"
                        source={recordChoices('publisher')}
                        emptyText="No publishers found."
                        disabled={row !== undefined}
                      />
                      <ChoiceSelect
                        {...form.getInputProps('campaignId')}
                        label="Campaign"
                        source={recordChoices('campaign', { verticalId })}
                        emptyText="No campaigns found."
                      />
                      <NativeSelect
                        {...form.getInputProps('kind')}
                        label="Kind"
                        description={
                          form.values.kind === 'lander' ? 'Nobody posts to it: no keys, no specification.' : 'No lander can be given it.'
                        }
                        data={TIER_KIND_OPTIONS}
                      />
                      <TextInput
                        {...form.getInputProps('subId')}
                        label="Sub id"
                        description="Used where a lead names none."
                        maxLength={100}
                      />
                      <NativeSelect {...form.getInputProps('status')} label="Status" data={statusOptionsOf(row)} />
                    </div>
                    <Textarea {...form.getInputProps('notes')} label="Notes" autosize minRows={2} maxLength={500} />
                  </FormSection>
                  <FormSection title="Price" says="What the publisher gets for a sold lead.">
                    <div className="form-three">
                      <PriceModelInputs values={form.values} inputProps={form.getInputProps} />
                    </div>
                  </FormSection>
                  <RuleSections
                    what={form.values.kind === 'lander' ? 'landers send here go on to the tree' : 'are posted here go on to the tree'}
                    values={form.values}
                    errors={form.errors}
                    set={(name, value) => form.setFieldValue(name, value as never)}
                    fields={fields.data?.data ?? []}
                    timeZone={timeZone}
                    isFolded={!row && !like}
                  />
                  <FormSection
                    title="P2C"
                    says="A third-party service is asked whether to buy at all, before any buyer is considered."
                    folded={!row && !like && (form.values.p2c ? 'asked for every lead' : 'nobody is asked')}
                    isWrong={Boolean(form.errors.p2c)}
                  >
                    <OutsideCheckEditor
                      name="p2c"
                      value={form.values.p2c}
                      onChange={(check) => form.setFieldValue('p2c', check)}
                      refusing="Refuse the lead"
                      passing="Let the lead go on to the tree"
                      error={form.errors.p2c}
                    />
                  </FormSection>
                  <FormSection
                    title="Returns"
                    folded={!row && !like && (form.values.returnsReducePayout ? 'reduce the payout' : 'are borne by us')}
                  >
                    <Switch
                      {...form.getInputProps('returnsReducePayout', { type: 'checkbox' })}
                      label="Returns reduce the payout"
                      description="When a buyer gives a lead back, the publisher gives back its part too. Switched off, we bear it."
                    />
                  </FormSection>
                  {form.values.kind === 'lander' ? (
                    <FormSection
                      title="Consumers"
                      folded={!row && !like && (form.values.rawRedirect ? 'go straight to the buyer' : 'go on by our link')}
                    >
                      {rawRedirectOf(form)}
                    </FormSection>
                  ) : (
                    <FormSection
                      title="Posting"
                      folded={!row && !like && (form.values.ipAllow.length > 0 ? 'from some addresses' : 'from every address')}
                      isWrong={Boolean(form.errors.ipAllow || form.errors.pingsPerMinute)}
                    >
                      <TextList
                        {...form.getInputProps('ipAllow')}
                        label="Addresses that may post"
                        description="Single addresses or ranges such as 203.0.113.0/24; none lets all."
                        limits={ADDRESS_LIST}
                        splitChars={[',', ' ', ';']}
                      />
                      <div className="form-three">
                        <DigitsInput {...form.getInputProps('pingsPerMinute')} label="Pings per minute at most" placeholder="No limit" />
                      </div>
                      <Switch
                        {...form.getInputProps('terse', { type: 'checkbox' })}
                        label="Terse answers"
                        description="Price and reason stay hidden from the publisher."
                      />
                      {rawRedirectOf(form)}
                      <Switch
                        {...form.getInputProps('always200', { type: 'checkbox' })}
                        label="Always HTTP 200"
                        description="For old clients that cannot read other codes; the true one stands in X-Status-Code."
                      />
                    </FormSection>
                  )}
                </>
              )}
            </RecordForm>
            {row?.kind === 'lander' && <LandersOf tierId={row._id} />}
            {row?.kind === 'api' && <PostingKeys tierId={row._id} />}
            {row?.kind === 'api' && mayApi && (
              <p className="muted small">
                What a publisher needs to post here stands in the tier’s{' '}
                <Link to="/setup/$region/$vertical/features-api" params={place} search={{ q: String(row.name) }} className="link">
                  posting specification
                </Link>
                .
              </p>
            )}
          </>
        );
      }}
    </EditPage>
  );
}

const rawRedirectOf = (form: RecordFormState<Values>) => (
  <Switch
    {...form.getInputProps('rawRedirect', { type: 'checkbox' })}
    label="The buyer’s own address as redirect"
    description={
      form.values.kind === 'lander'
        ? 'The lander sends consumers straight to the buyer; whether they went is then not known.'
        : 'The publisher sends consumers straight to the buyer; whether they went is then not known.'
    }
  />
);
