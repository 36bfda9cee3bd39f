import { NativeSelect, Switch, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { OutsideCheckRule } from '#contract/service.ts';
import type { BreakerView, ThrottleView, TierPriceView } from '#contract/tier.ts';
import { ChoiceSelect } from '#web/ui/ChoiceSelect.tsx';
import { AmountInput } from '#web/ui/inputs/AmountInput.tsx';
import { DigitsInput } from '#web/ui/inputs/DigitsInput.tsx';
import { recordChoices } from '../api/choices.ts';
import type { RecordRow } from '../api/record.ts';
import { checkEndpoint } from '../endpoint/check-endpoint.ts';
import { EndpointEditor } from '../endpoint/EndpointEditor.tsx';
import { BreakerState } from './BreakerState.tsx';
import { checkGiven, checkNumber } from './check-given.ts';
import { DuplicateNote } from './DuplicateNote.tsx';
import { EditPage } from './EditPage.tsx';
import { FormSection } from './FormSection.tsx';
import { fieldsQuery } from './fields-query.ts';
import { PostbackAddress } from './PostbackAddress.tsx';
import { usePlaceIds } from './place-ids.ts';
import { RecordForm } from './RecordForm.tsx';
import { RestState } from './RestState.tsx';
import { BreakerEditor } from './rules/BreakerEditor.tsx';
import { type BreakerText, checkBreaker, toBreaker, toBreakerText } from './rules/breaker-text.ts';
import { type CheckText, checkCheck, OutsideCheckEditor, toCheck, toCheckText } from './rules/OutsideCheckEditor.tsx';
import { checkRules, noRules, RuleSections, type RuleValues, toRuleData, toRuleValues } from './rules/RuleSections.tsx';
import { checkSecrets, SecretsEditor, type SecretText, toSecrets, toWriteAnew, writtenSecrets } from './rules/SecretsEditor.tsx';
import { ThrottleEditor } from './rules/ThrottleEditor.tsx';
import { checkThrottle, type ThrottleText, toThrottle, toThrottleText } from './rules/throttle-text.ts';
import { afterPostHeld, priceRulesHeld, timeHeld } from './rules/tier-held.ts';
import { statusOptionsOf } from './status-options.ts';
import { ThrottleState } from './ThrottleState.tsx';

interface Values extends RuleValues {
  name: string;
  notes: string;
  buyerId: string;
  status: string;
  delivery: string;
  priceKind: TierPriceView['kind'];
  priceValue: string;
  floor: string;
  postPriceRule: string;
  qualityFactor: string;
  timeLimitMs: string;
  afterTimeout: string;
  pendingHours: string;
  portalReturns: boolean;
  returnDays: string;
  thirdParty: CheckText | null;
  breaker: BreakerText | null;
  throttle: ThrottleText | null;
  tellWinningPrice: boolean;
  endpoint: string;
  secrets: SecretText[];
}

function toValues(row: RecordRow): Values {
  const price = row.price as TierPriceView;
  return {
    ...toRuleValues(row),
    name: String(row.name),
    notes: String(row.notes),
    buyerId: String(row.buyerId),
    status: String(row.status),
    delivery: String(row.delivery),
    priceKind: price.kind,
    priceValue: price.kind === 'fixed' ? price.price : (price.minimum ?? ''),
    floor: row.floor === null ? '' : String(row.floor),
    postPriceRule: String(row.postPriceRule),
    qualityFactor: String(row.qualityFactor),
    timeLimitMs: String(row.timeLimitMs),
    afterTimeout: String(row.afterTimeout),
    pendingHours: String(row.pendingHours),
    portalReturns: Boolean(row.portalReturns),
    returnDays: row.returnDays === null ? '' : String(row.returnDays),
    thirdParty: toCheckText(row.thirdParty as OutsideCheckRule | null),
    breaker: toBreakerText(row.breaker as BreakerView | null),
    throttle: toThrottleText(row.throttle as ThrottleView | null),
    tellWinningPrice: row.tellWinningPrice === true,
    endpoint: JSON.stringify(row.endpoint, null, 2),
    secrets: (row.secrets as string[]).map((name) => ({ name, value: null })),
  };
}

/** Leads are sent as JSON, to where is still to be said, and the buyer answers {"status": "accepted", "price": ...}: a beginning to be changed. */
const ENDPOINT = {
  post: {
    url: '',
    method: 'POST',
    body: { format: 'json', mapping: [{ to: 'email', from: { kind: 'field', field: 'email' } }] },
    response: {
      outcomes: [
        { outcome: 'accepted', when: [{ at: { path: 'status' }, is: 'equal', value: 'accepted' }] },
        { outcome: 'rejected', when: [{ at: { path: 'status' }, is: 'present' }] },
      ],
      otherwise: 'error',
      price: { at: [{ path: 'price' }] },
    },
  },
};

const initial = (buyerId: string): Values => ({
  ...noRules(),
  ...{
    name: '',
    notes: '',
    buyerId,
    status: 'active',
    delivery: 'post',
    priceKind: 'fixed',
    priceValue: '',
    floor: '',
    postPriceRule: 'take',
  },
  ...{
    qualityFactor: '1',
    timeLimitMs: '10000',
    afterTimeout: 'next',
    pendingHours: '72',
    portalReturns: false,
    returnDays: '',
    thirdParty: null,
    breaker: null,
    throttle: null,
    tellWinningPrice: false,
    endpoint: JSON.stringify(ENDPOINT, null, 2),
    secrets: [],
  },
});

function toData(values: Values, isNew: boolean, verticalId: string): Record<string, unknown> {
  const { name, notes, buyerId, status, delivery, priceKind, priceValue, floor, postPriceRule, qualityFactor, timeLimitMs, afterTimeout } =
    values;
  const secrets = toSecrets(values.secrets);
  return {
    ...toRuleData(values),
    ...{ name, notes, status, delivery, postPriceRule, afterTimeout },
    breaker: toBreaker(values.breaker),
    throttle: toThrottle(values.throttle),
    tellWinningPrice: values.tellWinningPrice,
    price: priceKind === 'fixed' ? { kind: 'fixed', price: priceValue } : { kind: 'bid', ...(priceValue && { minimum: priceValue }) },
    floor: floor === '' ? null : floor,
    qualityFactor: Number(qualityFactor),
    timeLimitMs: Number(timeLimitMs),
    pendingHours: Number(values.pendingHours),
    portalReturns: values.portalReturns,
    returnDays: values.returnDays === '' ? null : Number(values.returnDays),
    thirdParty: toCheck(values.thirdParty),
    endpoint: readJson(values.endpoint),
    ...(Object.keys(secrets).length > 0 && { secrets }),
    ...(isNew && { buyerId, verticalId }),
  };
}

const LEGS = ['ping', 'post', 'lost'] as const;
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** One way of selling to a buyer. */
export function BuyerTierPage({ id, buyerId = '' }: { id?: string | undefined; buyerId?: string | undefined }) {
  const { place, verticalId, timeZone } = usePlaceIds();
  const navigate = useNavigate();
  const fields = useQuery(fieldsQuery(verticalId));
  const base = `/setup/${place.region}/${place.vertical}`;
  return (
    <EditPage model="buyerTier" label="Buyer tier" id={id} list={{ path: 'buyers', label: 'Buyers' }}>
      {({ row, like, toList }) => {
        const back = () => void navigate({ href: `${base}/buyers/${row?.buyerId ?? buyerId}` });
        // A copy is there to be changed, and shows what it has.
        const isNew = !row && !like;
        return (
          <>
            <RecordForm
              key={row?._id ?? like?._id}
              model="buyerTier"
              one="buyer tier"
              row={row}
              isCopy={like !== undefined}
              toValues={toValues}
              initial={like ? { ...toValues(like), name: `${like.name} copy`, secrets: toWriteAnew(like) } : initial(buyerId)}
              toData={(values) => toData(values, !row, verticalId)}
              inputOf={{ price: 'priceValue' }}
              validate={{
                ...checkRules,
                thirdParty: checkCheck,
                breaker: checkBreaker,
                throttle: checkThrottle,
                name: checkGiven,
                priceValue: (text, { priceKind }) => (priceKind === 'fixed' ? checkGiven(text) : null),
                qualityFactor: checkNumber,
                timeLimitMs: checkGiven,
                pendingHours: checkGiven,
                buyerId: (one) => (one === '' ? 'Choose a buyer.' : null),
                endpoint: (text, { status }) => checkEndpoint(text, { legs: LEGS, isActive: status === 'active' }),
                secrets: (list, { endpoint }) => checkSecrets(list, row?.endpoint, readJson(endpoint)),
              }}
              onSaved={(saved) => void navigate({ href: `${base}/buyers/${saved.buyerId}` })}
              onCancel={row || buyerId ? back : toList}
            >
              {(form) => (
                <>
                  {like && (
                    <DuplicateNote>
                      Secrets are not copied{(like.secrets as string[]).length > 0 && ': write them anew under Endpoint'}. The new tier
                      stands in no tree yet.
                    </DuplicateNote>
                  )}
                  <FormSection title="Buyer tier">
                    <div className="form-three">
                      <TextInput {...form.getInputProps('name')} label="Name" maxLength={120} />
                      <ChoiceSelect
                        {...form.getInputProps('buyerId')}
                        label="Buyer"
                        source={recordChoices('buyer')}
                        emptyText="No buyers found."
                        disabled={row !== undefined}
                      />
                      <NativeSelect {...form.getInputProps('status')} label="Status" data={statusOptionsOf(row)} />
                    </div>
                    <Textarea {...form.getInputProps('notes')} label="Notes" autosize minRows={2} maxLength={500} />
                  </FormSection>
                  <FormSection title="Price">
                    <div className="form-three">
                      <NativeSelect
                        {...form.getInputProps('delivery')}
                        label="Delivery"
                        data={[
                          { value: 'post', label: 'Post the lead at once' },
                          { value: 'pingPost', label: 'Ping for a bid, then post' },
                        ]}
                      />
                      <NativeSelect
                        {...form.getInputProps('priceKind')}
                        label="Price"
                        data={[
                          { value: 'fixed', label: 'Fixed' },
                          { value: 'bid', label: 'What the buyer bids' },
                        ]}
                      />
                      <AmountInput
                        {...form.getInputProps('priceValue')}
                        label={form.values.priceKind === 'fixed' ? 'Amount' : 'At least'}
                      />
                    </div>
                  </FormSection>
                  <FormSection title="Endpoint" says="How the buyer is spoken to, and how its answer is read.">
                    <EndpointEditor
                      value={form.values.endpoint}
                      onChange={(text) => form.setFieldValue('endpoint', text)}
                      fields={fields.data?.data ?? []}
                      who={{ kind: 'buyer', id: row?._id ?? null }}
                      verticalId={verticalId}
                      secretNames={form.values.secrets.flatMap((one) => (one.gone ? [] : [one.name]))}
                      pings={form.values.delivery === 'pingPost'}
                      noticeRule={
                        <Switch
                          label="The notice may tell what the winner pays"
                          description="winningPrice, under “Known to us” and in templates. Without it a notice that holds it is not saved."
                          checked={form.values.tellWinningPrice}
                          onChange={(event) => form.setFieldValue('tellWinningPrice', event.currentTarget.checked)}
                        />
                      }
                      timeLimitMs={Number(form.values.timeLimitMs)}
                      secrets={writtenSecrets(form.values.secrets)}
                      error={form.errors.endpoint}
                    />
                    <SecretsEditor
                      value={form.values.secrets}
                      onChange={(secrets) => form.setFieldValue('secrets', secrets)}
                      needed={checkSecrets(form.values.secrets, row?.endpoint, readJson(form.values.endpoint))}
                    />
                  </FormSection>
                  <FormSection
                    title="Price rules"
                    folded={isNew && priceRulesHeld(form.values)}
                    isWrong={Boolean(form.errors.floor || form.errors.qualityFactor)}
                  >
                    <div className="form-three">
                      <AmountInput {...form.getInputProps('floor')} label="Floor" description="A lower bid is not posted." />
                      <NativeSelect
                        {...form.getInputProps('postPriceRule')}
                        label="When the post pays another price"
                        data={[
                          { value: 'take', label: 'Take it' },
                          { value: 'takeAndFlag', label: 'Take it and flag it' },
                          { value: 'refuse', label: 'Count it as declined' },
                        ]}
                      />
                      <AmountInput
                        {...form.getInputProps('qualityFactor')}
                        label="Quality factor"
                        description="Weighs the bid in auctions; 1 is neutral."
                        unit="×"
                      />
                    </div>
                  </FormSection>
                  <FormSection title="Time" folded={isNew && timeHeld(form.values)} isWrong={Boolean(form.errors.timeLimitMs)}>
                    <div className="form-three">
                      <DigitsInput {...form.getInputProps('timeLimitMs')} label="Answer within" unit="ms" />
                      <NativeSelect
                        {...form.getInputProps('afterTimeout')}
                        label="Without an answer"
                        data={[
                          { value: 'next', label: 'Offer the lead to the next' },
                          { value: 'hold', label: 'Hold the lead until settled' },
                        ]}
                      />
                    </div>
                  </FormSection>
                  <FormSection
                    title="After the post"
                    says="What the buyer may still say of a lead, and how long it has."
                    folded={isNew && afterPostHeld(form.values)}
                    isWrong={Boolean(form.errors.pendingHours || form.errors.returnDays)}
                  >
                    <div className="form-three">
                      <DigitsInput
                        {...form.getInputProps('pendingHours')}
                        label="A pending sale is decided within"
                        description="After that it counts as not bought."
                        unit="hours"
                      />
                      <DigitsInput
                        {...form.getInputProps('returnDays')}
                        label="A lead may be returned for"
                        description="Left empty, as the organization has it."
                        unit="days"
                      />
                    </div>
                    <Switch
                      {...form.getInputProps('portalReturns', { type: 'checkbox' })}
                      label="Returns from the buyer’s portal are taken at once"
                      description="Otherwise each waits among the requests until somebody decides."
                    />
                  </FormSection>
                  <FormSection
                    title="Breaker"
                    says="A buyer that is down costs every lead its time. A breaker leaves it alone for a while."
                    folded={isNew && (form.values.breaker ? 'on' : 'off')}
                    isWrong={Boolean(form.errors.breaker)}
                  >
                    <BreakerEditor
                      value={form.values.breaker}
                      onChange={(breaker) => form.setFieldValue('breaker', breaker)}
                      error={form.errors.breaker}
                    />
                    {row && <BreakerState tierId={row._id} />}
                    {row && <RestState tierId={row._id} />}
                  </FormSection>
                  <FormSection
                    title="Throttle"
                    says="A buyer that is slow or fails now and then need not be shut out: for as long as it is, it gets only a share of its leads."
                    folded={isNew && (form.values.throttle ? 'on' : 'off')}
                    isWrong={Boolean(form.errors.throttle)}
                  >
                    <ThrottleEditor
                      value={form.values.throttle}
                      onChange={(throttle) => form.setFieldValue('throttle', throttle)}
                      error={form.errors.throttle}
                    />
                    {row && <ThrottleState tierId={row._id} />}
                  </FormSection>
                  <RuleSections
                    what="reach this tier are offered to it"
                    values={form.values}
                    errors={form.errors}
                    set={(name, value) => form.setFieldValue(name, value as never)}
                    fields={fields.data?.data ?? []}
                    timeZone={timeZone}
                    isFolded={isNew}
                  />
                  <FormSection
                    title="Third-party validation"
                    says="Asked before anything is sent to the buyer. A lead that the service refuses goes on to the next tier."
                    folded={isNew && (form.values.thirdParty ? 'asked for every lead' : 'nobody is asked')}
                    isWrong={Boolean(form.errors.thirdParty)}
                  >
                    <OutsideCheckEditor
                      name="thirdParty"
                      value={form.values.thirdParty}
                      onChange={(check) => form.setFieldValue('thirdParty', check)}
                      refusing="Pass this tier by"
                      passing="Offer it to the buyer all the same"
                      error={form.errors.thirdParty}
                    />
                  </FormSection>
                </>
              )}
            </RecordForm>
            {row && row.status !== 'archived' && <PostbackAddress tierId={row._id} />}
          </>
        );
      }}
    </EditPage>
  );
}
