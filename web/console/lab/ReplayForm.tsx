import { Button, NativeSelect, Radio, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { ReplayBody, ReplayChoices } from '#contract/replay.ts';
import { formatCount, formatInstant } from '#web/ui/format.ts';
import { AmountInput } from '#web/ui/inputs/AmountInput.tsx';
import { type Period, PeriodChip } from '#web/ui/PeriodChip.tsx';
import { customInstants, spanInstants } from '#web/ui/period.ts';
import { useReporting } from '#web/ui/reporting.tsx';
import { SelectSearch } from '#web/ui/SelectSearch.tsx';
import { toast } from '#web/ui/toast.ts';
import type { TimeZone } from '#web/ui/zone.ts';
import type { Place } from '../api/lead.ts';
import { startReplay } from '../api/replay.ts';
import { beginReplay, changedSettings, type ReplayDraft, toReplayBody } from './replay-draft.ts';

const presets = ['today', 'yesterday', 'last7Days', 'last30Days', 'customRange'] as const;
type Preset = (typeof presets)[number];

const rangeOf = ({ period = 'yesterday', from, to }: Period<Preset>, zone: TimeZone) =>
  period === 'customRange' ? customInstants(from!, to!, zone) : spanInstants(period, Date.now(), zone);

interface ReplayFormProps {
  place: Place;
  choices: ReplayChoices;
  /** The campaign of the address. */
  campaignId: string | undefined;
}

/** What is replayed: which leads, through which tree, and what a buyer says that was never asked. */
export function ReplayForm({ place, choices, campaignId }: ReplayFormProps) {
  const first = choices.campaigns.find(({ _id }) => _id === campaignId) ?? choices.campaigns[0]!;
  const [draft, setDraft] = useState(() => beginReplay(first));
  const [period, setPeriod] = useState<Period<Preset>>({ period: 'yesterday', from: undefined, to: undefined });
  const { zone } = useReporting();
  const navigate = useNavigate();
  const client = useQueryClient();
  const start = useMutation({
    mutationFn: (body: ReplayBody) => startReplay(body),
    onSuccess: ({ _id, msg }) => {
      void toast('success', msg);
      void client.invalidateQueries({ queryKey: ['replays'] });
      void navigate({ to: '/setup/$region/$vertical/testing-lab/replay/$replayId', params: { ...place, replayId: _id } });
    },
  });
  const campaign = choices.campaigns.find(({ _id }) => _id === draft.campaignId) ?? first;
  const change = (part: Partial<ReplayDraft>) => {
    start.reset();
    setDraft({ ...draft, ...part });
  };
  const isSame = draft.tree === 'live' && Object.keys(changedSettings(campaign, draft)).length === 0;
  return (
    <form
      className="card card-pad form-stack"
      aria-label="New replay"
      onSubmit={(event) => {
        event.preventDefault();
        start.mutate(toReplayBody(place, campaign, draft, rangeOf(period, zone)));
      }}
    >
      <div className="lab-fields">
        <SelectSearch
          label="Campaign"
          options={choices.campaigns.map(({ _id, name }) => ({ value: _id, label: name }))}
          emptyText="No campaigns found."
          value={campaign._id}
          onChange={(id) => {
            const next = choices.campaigns.find(({ _id }) => _id === id);
            if (next) change(beginReplay(next));
          }}
        />
        <SelectSearch
          label="Publisher tier"
          options={[
            { value: '', label: 'All of the campaign' },
            ...campaign.publisherTiers.map(({ _id, name }) => ({ value: _id, label: name })),
          ]}
          emptyText="No publisher tiers found."
          value={draft.publisherTierId ?? ''}
          onChange={(id) => change({ publisherTierId: id || null })}
        />
        <NativeSelect
          label="Tree"
          data={[
            { value: 'draft', label: campaign.hasDraft ? 'The draft' : 'The draft (there is none)', disabled: !campaign.hasDraft },
            { value: 'live', label: 'The live tree, with other settings' },
            ...campaign.versions.slice(1).map(({ _id, publishedAt, publishedBy }) => ({
              value: _id,
              label: `As published ${formatInstant(publishedAt, zone)} by ${publishedBy}`,
            })),
          ]}
          value={draft.tree}
          onChange={(event) => change({ tree: event.currentTarget.value })}
        />
      </div>
      <div className="row">
        <span className="small">Leads of</span>
        <PeriodChip
          presets={presets}
          value={period}
          onChange={(next) => setPeriod(next.period ? next : { ...next, period: 'yesterday' })}
        />
        <span className="muted small">At most {formatCount(choices.mostLeads)} leads. Test leads are left out.</span>
      </div>
      <details open={draft.tree === 'live'}>
        <summary>Settings of the campaign, for this replay alone</summary>
        <div className="lab-fields lab-settings">
          <AmountInput label="Floor" value={draft.floor} onChange={(floor) => change({ floor })} />
          <AmountInput
            label="Margin"
            {...(campaign.settings.margin.kind === 'percent' && { unit: '%' })}
            value={draft.margin}
            onChange={(margin) => change({ margin })}
          />
          <WholeNumber label="Sales of a lead, at most" value={draft.maxSales} onChange={(maxSales) => change({ maxSales })} />
          <WholeNumber label="Time for a lead, ms" value={draft.timeLimitMs} onChange={(timeLimitMs) => change({ timeLimitMs })} />
        </div>
      </details>
      <Radio.Group
        label="A buyer tier that was never asked about a lead"
        value={draft.unasked}
        onChange={(value) => change({ unasked: value === 'reject' ? 'reject' : 'likeBefore' })}
      >
        <div className="lab-radios">
          <Radio
            value="likeBefore"
            label="answers as it mostly did"
            description="By its own share of each answer and its mean price over these days; the same again each time."
          />
          <Radio value="reject" label="says no" description="The least that the tree would bring." />
        </div>
      </Radio.Group>
      {start.isError && (
        <div className="form-alert" role="alert">
          {start.error.message}
        </div>
      )}
      <div className="row">
        <Button type="submit" loading={start.isPending} disabled={isSame}>
          Start the replay
        </Button>
        <span className="muted small">
          {isSame ? 'Choose another tree, or change a setting.' : 'No buyer hears of it, and nothing is counted.'}
        </span>
      </div>
    </form>
  );
}

function WholeNumber({ label, value, onChange }: { label: string; value: string; onChange: (text: string) => void }) {
  return (
    <TextInput
      label={label}
      inputMode="numeric"
      autoComplete="off"
      required
      withAsterisk={false}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value.replace(/\D/g, '').slice(0, 6))}
    />
  );
}
