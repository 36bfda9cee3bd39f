import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { REPLAY_LEADS_MOST, type ReplayBody } from '#contract/replay.ts';
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
import { labPath } from './lab-path.ts';
import { RadioLines } from './RadioLines.tsx';
import { beginReplay, isAnySetting, type ReplayDraft, toReplayBody, triedSettings } from './replay-draft.ts';
import { type LabCampaign, treeChoice, treeOptions } from './send-draft.ts';
import { TriedTiers } from './TriedTiers.tsx';

const presets = ['today', 'yesterday', 'last7Days', 'last30Days', 'customRange'] as const;
type Preset = (typeof presets)[number];

const rangeOf = ({ period = 'yesterday', from, to }: Period<Preset>, zone: TimeZone) =>
  period === 'customRange' ? customInstants(from!, to!, zone) : spanInstants(period, Date.now(), zone);

interface ReplayFormProps {
  place: Place;
  campaigns: readonly LabCampaign[];
  /** The campaign of the address. */
  campaignId: string | undefined;
}

/** What is replayed: which leads, through which tree, with which settings, and what a buyer says that was never asked. */
export function ReplayForm({ place, campaigns, campaignId }: ReplayFormProps) {
  const first = campaigns.find(({ _id }) => _id === campaignId) ?? campaigns[0]!;
  const [draft, setDraft] = useState(() => beginReplay(first));
  const [period, setPeriod] = useState<Period<Preset>>({ period: 'yesterday', from: undefined, to: undefined });
  const { zone } = useReporting();
  const navigate = useNavigate();
  const client = useQueryClient();
  const start = useMutation({
    mutationFn: (body: ReplayBody) => startReplay(body),
    onSuccess: ({ replayId, msg }) => {
      void toast('success', msg);
      void client.invalidateQueries({ queryKey: ['replays'] });
      void navigate({ to: `${labPath(place, '/replay')}/${replayId}` as '/' });
    },
  });
  const campaign = campaigns.find(({ _id }) => _id === draft.campaignId) ?? first;
  const change = (part: Partial<ReplayDraft>) => {
    start.reset();
    setDraft({ ...draft, ...part });
  };
  const isSame = draft.tree === 'published' && !isAnySetting(triedSettings(campaign, draft));
  return (
    <form
      className="card card-pad form-stack"
      aria-label="New replay"
      onSubmit={(event) => {
        event.preventDefault();
        start.mutate(toReplayBody(campaign, draft, rangeOf(period, zone)));
      }}
    >
      <p className="muted lab-lead-in">
        The leads that came in a span of time go once more through the published tree and through the one you choose, each at its own time,
        with the answers that are on record. No buyer hears of it, and nothing is booked.
      </p>
      <div className="lab-choices">
        <SelectSearch
          label="Campaign"
          options={campaigns.map(({ _id, name }) => ({ value: _id, label: name }))}
          emptyText="No campaigns found."
          value={campaign._id}
          onChange={(id) => {
            const next = campaigns.find(({ _id }) => _id === id);
            if (next) change(beginReplay(next));
          }}
        />
        <SelectSearch
          label="Publisher tier"
          options={[
            { value: '', label: 'All of the campaign' },
            ...campaign.publisherTiers.map(({ _id, name, publisherName }) => ({ value: _id, label: `${publisherName}, ${name}` })),
          ]}
          emptyText="No publisher tiers found."
          value={draft.publisherTierId ?? ''}
          onChange={(id) => change({ publisherTierId: id || null })}
        />
        <NativeSelect
          label="Tree"
          data={treeOptions(campaign, (at) => formatInstant(at, zone))}
          value={draft.tree}
          onChange={(event) => change({ tree: event.currentTarget.value, tiers: [] })}
        />
      </div>
      <div className="row">
        <span className="small">Leads of</span>
        <PeriodChip
          presets={presets}
          value={period}
          onChange={(next) => setPeriod(next.period ? next : { ...next, period: 'yesterday' })}
        />
        <span className="muted small">At most {formatCount(REPLAY_LEADS_MOST)} leads. Test leads are left out.</span>
      </div>
      <details open={draft.tree === 'published'}>
        <summary>Other settings, for this replay alone</summary>
        <div className="form-stack lab-settings">
          <div className="lab-fields">
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
          <TriedTiers
            campaignId={campaign._id}
            choice={treeChoice(draft.tree)}
            tiers={draft.tiers}
            onChange={(tiers) => change({ tiers })}
          />
        </div>
      </details>
      <RadioLines
        label="A buyer tier that was never asked about a lead"
        value={draft.unrecorded}
        onChange={(unrecorded) => change({ unrecorded })}
        options={[
          {
            value: 'habit',
            label: 'answers as it mostly did',
            says: 'As often as it accepted in this span, at its mean price; drawn by lead and tier, so the same again each time.',
          },
          { value: 'rejects', label: 'declines', says: 'The least that the tree would bring.' },
        ]}
      />
      {start.isError && (
        <div className="form-alert" role="alert">
          {start.error.message}
        </div>
      )}
      <div className="row">
        <Button type="submit" loading={start.isPending} disabled={isSame}>
          Start the replay
        </Button>
        {isSame && <span className="muted small">Choose another tree, or change a setting.</span>}
        {campaign.isTested && (
          <span className="muted small">An A/B test splits this campaign now: a replay goes by the two trees alone.</span>
        )}
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
