import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { PromotionBoard, PromotionPhase, PromotionTargetView, RaiseView } from '#contract/promotion.ts';
import type { HoursRule } from '#contract/tier.ts';
import { formatCount } from '#web/ui/format.ts';
import { AmountInput } from '#web/ui/inputs/AmountInput.tsx';
import { DigitsInput } from '#web/ui/inputs/DigitsInput.tsx';
import { MoneyText } from '#web/ui/reporting.tsx';
import { SelectSearch } from '#web/ui/SelectSearch.tsx';
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { promotionBoardQuery } from '../api/promotion.ts';
import type { RecordRow } from '../api/record.ts';
import { checkGiven } from '../set-up/check-given.ts';
import { EditPage } from '../set-up/EditPage.tsx';
import { FormSection } from '../set-up/FormSection.tsx';
import { usePlaceIds } from '../set-up/place-ids.ts';
import { RecordForm } from '../set-up/RecordForm.tsx';
import { HoursEditor } from '../set-up/rules/HoursEditor.tsx';
import { TimeZoneSelect } from '../set-up/rules/TimeZoneSelect.tsx';
import { statusOptionsOf } from '../set-up/status-options.ts';
import { GrowthPage } from './GrowthPage.tsx';
import { PhasePill } from './promotion-spec.tsx';
import { TARGETS } from './promotion-words.ts';
import './promotion.css';

interface Values {
  name: string;
  status: string;
  notes: string;
  targetKind: PromotionTargetView['kind'];
  /** The id, or the sub id, that the target names. */
  target: string;
  raiseKind: RaiseView['kind'];
  raise: string;
  fromOn: string;
  toOn: string;
  timeZone: string;
  hours: HoursRule | null;
  leadCap: string;
  moneyCap: string;
  belowMargin: boolean;
}

const NAMES = { publisherTier: 'publisherTierId', subId: 'subId', publisher: 'publisherId', campaign: 'campaignId' } as const;

function toValues(row: RecordRow): Values {
  const target = row.target as PromotionTargetView;
  const raise = row.raise as RaiseView;
  return {
    name: String(row.name),
    status: String(row.status),
    notes: String(row.notes),
    targetKind: target.kind,
    target: (target as unknown as Record<string, string>)[NAMES[target.kind]] ?? '',
    raiseKind: raise.kind,
    raise: raise.kind === 'percent' ? String(raise.percent) : raise.amount,
    fromOn: String(row.fromOn),
    toOn: (row.toOn as string | null) ?? '',
    timeZone: String(row.timeZone),
    hours: row.hours as HoursRule | null,
    leadCap: row.leadCap === null ? '' : String(row.leadCap),
    moneyCap: row.moneyCap === null ? '' : String(row.moneyCap),
    belowMargin: row.belowMargin === true,
  };
}

function toData(values: Values): Record<string, unknown> {
  const { name, status, notes, targetKind, target, raiseKind, raise, fromOn, toOn, timeZone, hours, leadCap, moneyCap, belowMargin } =
    values;
  return {
    ...{ name, status, notes, fromOn, timeZone, hours, belowMargin },
    toOn: toOn === '' ? null : toOn,
    target: { kind: targetKind, [NAMES[targetKind]]: target },
    raise: raiseKind === 'percent' ? { kind: 'percent', percent: Number(raise) } : { kind: 'fixed', amount: raise },
    leadCap: leadCap === '' ? null : Number(leadCap),
    moneyCap: moneyCap === '' ? null : moneyCap,
  };
}

const today = (timeZone: string): string => new Intl.DateTimeFormat('sv-SE', { timeZone }).format(new Date());

/** One promotion: whom it is for, what it adds, when, and how far it may go. */
export function PromotionPage() {
  const { id } = useParams({ strict: false });
  const { place, verticalId, timeZone } = usePlaceIds();
  const board = useQuery(promotionBoardQuery(place));
  const initial: Values = {
    ...{ name: '', status: 'active', notes: '', targetKind: 'publisher', target: '', raiseKind: 'fixed', raise: '', toOn: '', hours: null },
    ...{ fromOn: today(timeZone), timeZone, leadCap: '', moneyCap: '', belowMargin: false },
  };
  return (
    <EditPage model="promotion" label="Promotion" id={id} list={{ path: 'promotions', label: 'Promotions' }} Frame={GrowthPage}>
      {({ row, like, toList }) => (
        <>
          {row && <SoFar row={row} />}
          {board.isPending && <SkeletonLines count={6} height={30} />}
          {board.isError && <ErrorState error={board.error} onRetry={() => void board.refetch()} />}
          {board.data && (
            <RecordForm
              key={row?._id ?? like?._id}
              model="promotion"
              one="promotion"
              row={row}
              isCopy={like !== undefined}
              toValues={toValues}
              initial={like ? { ...toValues(like), name: `${like.name} copy` } : initial}
              toData={(values) => ({ ...toData(values), ...(!row && { verticalId }) })}
              validate={{
                name: checkGiven,
                target: checkGiven,
                raise: (text) => checkGiven(text) ?? (Number(text) > 0 ? null : 'It must be more than 0.'),
                fromOn: checkGiven,
                toOn: (text, { fromOn }) => (text !== '' && text < fromOn ? 'The last day must not be before the first.' : null),
              }}
              onSaved={toList}
              onCancel={toList}
            >
              {(form) => (
                <>
                  <FormSection title="Promotion">
                    <div className="form-three">
                      <TextInput
                        {...form.getInputProps('name')}
                        label="Name"
                        maxLength={120}
                        description="Told on each sale that it raises."
                      />
                      <NativeSelect
                        {...form.getInputProps('status')}
                        label="Status"
                        data={statusOptionsOf(row)}
                        description="Paused, it adds nothing from the next lead on."
                      />
                    </div>
                    <Textarea {...form.getInputProps('notes')} label="Notes" autosize minRows={2} maxLength={500} />
                  </FormSection>
                  <FormSection
                    title="Whose leads"
                    says="Of several promotions for one lead the narrowest pays, never two: publisher tier, sub id, publisher, campaign."
                  >
                    <div className="form-three">
                      <NativeSelect
                        label="For a"
                        data={Object.entries(TARGETS).map(([value, label]) => ({ value, label }))}
                        value={form.values.targetKind}
                        onChange={(event) => form.setValues({ targetKind: event.currentTarget.value as Values['targetKind'], target: '' })}
                      />
                      <TargetSelect
                        kind={form.values.targetKind}
                        targets={board.data.targets}
                        value={form.values.target}
                        onChange={(target) => form.setFieldValue('target', target)}
                        error={form.errors.target}
                      />
                    </div>
                  </FormSection>
                  <FormSection
                    title="What it adds"
                    says="On top of the payout, out of your margin. Publishers hear it at the ping and get it at the sale."
                  >
                    <div className="form-three">
                      <NativeSelect
                        {...form.getInputProps('raiseKind')}
                        label="Rise"
                        data={[
                          { value: 'fixed', label: 'An amount per sold lead' },
                          { value: 'percent', label: 'Percent of the payout' },
                        ]}
                      />
                      <AmountInput
                        {...form.getInputProps('raise')}
                        label={form.values.raiseKind === 'percent' ? 'Percent' : 'Amount'}
                        {...(form.values.raiseKind === 'percent' && { unit: '%' })}
                      />
                    </div>
                    <Checkbox
                      {...form.getInputProps('belowMargin', { type: 'checkbox' })}
                      label="May go below the campaign’s least margin"
                      description="Down to nothing, never into a loss. Otherwise what does not fit is cut, and the sale says so."
                    />
                  </FormSection>
                  <FormSection
                    title="When"
                    says="A lead counts by the moment it came. What a ping was promised is paid at its post, also after the last day."
                  >
                    <div className="form-three">
                      <TextInput {...form.getInputProps('fromOn')} type="date" label="First day" />
                      <TextInput {...form.getInputProps('toOn')} type="date" label="Last day" description="Empty: no end." />
                      <TimeZoneSelect
                        label="Days of the time zone"
                        value={form.values.timeZone}
                        onChange={(zone) => form.setFieldValue('timeZone', zone)}
                      />
                    </div>
                    <HoursEditor
                      value={form.values.hours}
                      onChange={(hours) => form.setFieldValue('hours', hours)}
                      timeZone={form.values.timeZone}
                    />
                  </FormSection>
                  <FormSection title="How far" says="Exact over all nodes: never one lead and never a cent over. Empty: no limit.">
                    <div className="form-three">
                      <DigitsInput {...form.getInputProps('leadCap')} label="Sold leads at most" />
                      <AmountInput {...form.getInputProps('moneyCap')} label="Extra money at most" />
                    </div>
                  </FormSection>
                </>
              )}
            </RecordForm>
          )}
        </>
      )}
    </EditPage>
  );
}

function SoFar({ row }: { row: RecordRow }) {
  return (
    <dl className="promotion-figures" aria-label="So far">
      <div>
        <dt>State</dt>
        <dd>
          <PhasePill phase={row.phase as PromotionPhase} />
        </dd>
      </div>
      <div>
        <dt>Sold leads</dt>
        <dd className="tabular">{formatCount(Number(row.soldLeads))}</dd>
      </div>
      <div>
        <dt>Extra paid</dt>
        <dd>
          <MoneyText amount={String(row.extraPaid)} />
        </dd>
      </div>
    </dl>
  );
}

interface TargetSelectProps {
  kind: PromotionTargetView['kind'];
  targets: PromotionBoard['targets'];
  value: string;
  onChange: (target: string) => void;
  error: React.ReactNode;
}

function TargetSelect({ kind, targets, value, onChange, error }: TargetSelectProps) {
  const options = optionsOf(kind, targets);
  const known =
    value === '' || options.some((one) => one.value === value)
      ? options
      : [{ value, label: kind === 'subId' ? value : 'Archived' }, ...options];
  return (
    <SelectSearch
      label={TARGETS[kind]}
      options={known}
      emptyText={`No ${TARGETS[kind].toLowerCase()} posts in this vertical yet.`}
      value={value || null}
      onChange={(next) => onChange(next ?? '')}
      error={error}
      data-path="target"
    />
  );
}

function optionsOf(kind: PromotionTargetView['kind'], targets: PromotionBoard['targets']): { value: string; label: string }[] {
  switch (kind) {
    case 'publisherTier':
      return targets.publisherTiers.map((tier) => ({ value: tier._id, label: `${tier.publisherName}, ${tier.name}` }));
    case 'subId':
      return targets.subIds.map((subId) => ({ value: subId, label: subId }));
    case 'publisher':
      return targets.publishers.map(({ _id, name }) => ({ value: _id, label: name }));
    case 'campaign':
      return targets.campaigns.map(({ _id, name }) => ({ value: _id, label: name }));
  }
}
