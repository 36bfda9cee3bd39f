import { Button, MultiSelect, Select, Switch } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { pageCatalogue } from '#contract/page.ts';
import { WholeNumberInput } from '#web/ui/inputs/DigitsInput.tsx';
import { type TimeZone, timeZoneLabel, timeZonePlace, timeZones } from '#web/ui/zone.ts';
import { teamQuery } from '../api/team.ts';
import { RecordPage, SaveRefusal } from './RecordPage.tsx';
import { useRecord } from './use-record.ts';

interface Preferred {
  timeZone: TimeZone;
  currencyDisplay: 'symbol' | 'code';
  landingPage: string;
  securityNotices: boolean;
  breakerNotices: boolean;
  redirectHours: number | '';
  allowFSUsers: string[];
}

/** Account §2: what holds for everybody in the organization. */
export function Preferences() {
  const { query, save } = useRecord<Preferred>('preferences', 'Preferences');
  return (
    <RecordPage title="Preferences" tabs="organization" query={query}>
      {({ _id: _, ...preferred }) => <PreferencesForm preferred={preferred} save={save} />}
    </RecordPage>
  );
}

function PreferencesForm({ preferred, save }: { preferred: Preferred; save: ReturnType<typeof useRecord<Preferred>>['save'] }) {
  const form = useForm<Preferred>({
    initialValues: preferred,
    validate: { redirectHours: (hours) => (hours !== '' && hours >= 1 && hours <= 720 ? null : 'Write a number of hours from 1 to 720.') },
  });
  const team = useQuery(teamQuery);
  const people = (team.data?.members ?? []).flatMap(({ userId, first_name, last_name, email }) =>
    userId ? [{ value: userId, label: `${first_name} ${last_name} (${email})` }] : [],
  );
  return (
    <form className="card card-pad form-stack" onSubmit={form.onSubmit((values) => void (save.isPending || save.mutate(values)))}>
      <SaveRefusal error={save.error} />
      <div className="form-pair">
        <Select
          {...form.getInputProps('timeZone')}
          label="Reporting time zone"
          description="For members who have not chosen one."
          allowDeselect={false}
          data={timeZones.map((zone) => ({ value: zone, label: `${timeZoneLabel[zone]} (${timeZonePlace[zone]})` }))}
        />
        <Select
          {...form.getInputProps('currencyDisplay')}
          label="Currency"
          description="How amounts are written."
          allowDeselect={false}
          data={[
            { value: 'symbol', label: 'With its sign: $12.50' },
            { value: 'code', label: 'With its code: USD 12.50' },
          ]}
        />
      </div>
      <Select
        {...form.getInputProps('landingPage')}
        label="First page"
        description="Where members begin who may open it."
        allowDeselect={false}
        searchable
        data={pageCatalogue.map((page) => ({ value: page.value, label: page.label }))}
      />
      <MultiSelect
        {...form.getInputProps('allowFSUsers')}
        label="Kept out of the buyer-tier logs"
        description="Whatever their permissions say."
        placeholder={form.values.allowFSUsers.length === 0 ? 'Nobody' : ''}
        data={people}
        disabled={!team.data}
        searchable
        hidePickedOptions
      />
      <WholeNumberInput
        {...form.getInputProps('redirectHours')}
        label="Consumers’ links stay open"
        description="How long the link that leads the consumer of a sold lead on to the buyer works: 1 to 720 hours."
        unit="hours"
        digits={3}
        required
      />
      <Switch
        {...form.getInputProps('securityNotices', { type: 'checkbox' })}
        label="Security notices by mail"
        description="The owner hears when somebody joins the team or rejects an invitation."
      />
      <Switch
        {...form.getInputProps('breakerNotices', { type: 'checkbox' })}
        label="Breaker notices by mail"
        description="The owner hears when a buyer tier keeps failing and is paused."
      />
      <p className="muted small" style={{ margin: 0 }}>
        Who does nothing for 30 minutes is signed out. This holds for everybody.
      </p>
      <div className="row">
        <Button type="submit" loading={save.isPending}>
          Save
        </Button>
      </div>
    </form>
  );
}
