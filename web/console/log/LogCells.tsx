import { formatInstant, formatShortInstant } from '#web/ui/format.ts';
import { useReporting } from '#web/ui/reporting.tsx';

export function LogTime({ at }: { at: string }) {
  const { zone } = useReporting();
  return (
    <span className="tabular log-when" title={formatInstant(at, zone)}>
      {formatShortInstant(at, zone)}
    </span>
  );
}

export const LogCode = ({ code }: { code: number | null }) => (
  <span className="tabular muted log-code">
    <span className="sr-only">HTTP </span>
    {code ?? '–'}
  </span>
);
