import { TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { MESSAGES } from '#contract/message.ts';
import { plainSubDomain, subDomainProblem } from '#contract/sub-domain.ts';
import { checkDomain } from '../api/team.ts';

const CHECK_AFTER_MS = 300;

interface Props extends Omit<TextInputProps, 'value' | 'onChange'> {
  value: string;
  onChange: (value: string) => void;
  mode: 'add' | 'edit';
  companyId?: string;
  /** The sub-domain the organization has now. */
  current?: string;
}

/** Account §5: the sub-domain is checked, lower-cased, while it is typed. */
export function SubDomainInput({ value, onChange, mode, companyId, current, error, ...props }: Props) {
  const [settled] = useDebouncedValue(plainSubDomain(value), CHECK_AFTER_MS);
  const problem = settled === '' || settled === current ? undefined : subDomainProblem(settled);
  const asked = useQuery({
    queryKey: ['sub-domain', mode, settled],
    queryFn: () => checkDomain(settled, mode, companyId ?? null),
    enabled: settled !== '' && settled !== current && !problem,
    staleTime: 2000,
  });
  const isCurrent = settled === plainSubDomain(value);
  const told = problem ? MESSAGES[problem] : asked.data?.status ? asked.data.msg : null;
  const isOwn = settled !== '' && settled === current;
  const free = isCurrent && !isOwn && asked.data?.status === false && !problem;
  const say = sayWhat(settled, { isOwn, isFetching: asked.isFetching, free });
  return (
    <TextInput
      {...props}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error ?? (isCurrent ? told : null)}
      description={
        <span aria-live="polite" className={free ? 'good' : undefined}>
          {say}
        </span>
      }
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      maxLength={60}
    />
  );
}

function sayWhat(settled: string, { isOwn, isFetching, free }: { isOwn: boolean; isFetching: boolean; free: boolean }): string {
  if (settled === '') return 'Lower-case letters, digits and hyphens; 3 to 40 of them.';
  if (isOwn) return 'This is your sub-domain today.';
  if (isFetching) return 'Checking …';
  return free ? `${settled} is free.` : ' ';
}
