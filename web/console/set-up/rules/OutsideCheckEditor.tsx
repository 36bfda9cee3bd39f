import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type OutsideCheckRule, SERVICE_TIME_LIMIT_MS } from '#contract/service.ts';
import { ChoiceSelect } from '#web/ui/ChoiceSelect.tsx';
import { DigitsInput } from '#web/ui/inputs/DigitsInput.tsx';
import { recordChoices } from '../../api/choices.ts';
import { recordsQuery } from '../../api/record.ts';
import { usePlaceIds } from '../place-ids.ts';

/** While it is edited; the time limit as it is typed. */
export interface CheckText extends Omit<OutsideCheckRule, 'timeLimitMs'> {
  timeLimitMs: string;
}

export const toCheckText = (rule: OutsideCheckRule | null): CheckText | null => rule && { ...rule, timeLimitMs: String(rule.timeLimitMs) };
export const toCheck = (text: CheckText | null): OutsideCheckRule | null => text && { ...text, timeLimitMs: Number(text.timeLimitMs || 0) };

const { least, most } = SERVICE_TIME_LIMIT_MS;
export const checkCheck = (text: CheckText | null): string | null => {
  const ms = Number(text?.timeLimitMs ?? least);
  return ms >= least && ms <= most ? null : `Give the service ${least} to ${most.toLocaleString('en')} ms.`;
};

const NOBODY = { value: '', label: 'Nobody' };
const BEGIN = { timeLimitMs: '1000', onFailure: 'pass' } as const;

interface OutsideCheckEditorProps {
  /** The field of the form. */
  name: string;
  value: CheckText | null;
  onChange: (value: CheckText | null) => void;
  /** What becomes of the lead when the service fails: 'Refuse the lead'. */
  refusing: string;
  passing: string;
  error?: React.ReactNode;
}

/** Which service of this vertical is asked, how long it may take, and what its failure means. */
export function OutsideCheckEditor({ name, value, onChange, refusing, passing, error }: OutsideCheckEditorProps) {
  const { place, verticalId } = usePlaceIds();
  const services = useQuery(recordsQuery({ model: 'service', condition: { verticalId }, limit: 1, fields: ['name'] }));
  const choose = (serviceId: string) => onChange(serviceId === NOBODY.value ? null : { ...BEGIN, ...value, serviceId });
  const base = `/setup/${place.region}/${place.vertical}/third-party-service`;
  return (
    <>
      <div className="form-three" data-path={name}>
        <ChoiceSelect
          label="Ask"
          source={recordChoices('service', { verticalId })}
          first={[NOBODY]}
          emptyText="No services found."
          value={value?.serviceId ?? NOBODY.value}
          onChange={choose}
          error={error}
        />
        {value && (
          <>
            <DigitsInput
              label="Service answers within"
              unit="ms"
              value={value.timeLimitMs}
              onChange={(timeLimitMs) => onChange({ ...value, timeLimitMs })}
            />
            <NativeSelect
              label="When the service fails"
              description="Too slow, broken or paused."
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              data={[
                { value: 'pass', label: passing },
                { value: 'refuse', label: refusing },
              ]}
              value={value.onFailure}
              onChange={(event) => onChange({ ...value, onFailure: event.currentTarget.value as 'pass' | 'refuse' })}
            />
          </>
        )}
      </div>
      {services.data?.total === 0 && (
        <p className="muted small">
          This vertical has no third-party service yet.{' '}
          <Link to={`${base}/new` as '/'} className="link">
            Set one up
          </Link>
        </p>
      )}
    </>
  );
}
