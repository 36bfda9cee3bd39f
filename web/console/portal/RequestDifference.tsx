import type { PortalRequest } from '#contract/change-request.ts';
import { useReporting } from '#web/ui/reporting.tsx';
import { fieldName, sayValue } from './request-words.ts';

interface RequestDifferenceProps {
  request: Pick<PortalRequest, 'before' | 'after'>;
  /** The fields as they are now, where that is another thing than when it was asked. */
  current?: Record<string, unknown>;
}

/** Field by field: as it was, and as it is to be. */
export function RequestDifference({ request: { before, after }, current }: RequestDifferenceProps) {
  const { currency } = useReporting();
  return (
    <dl className="request-fields">
      {Object.entries(after).map(([name, value]) => (
        <div key={name}>
          <dt>{fieldName(name)}</dt>
          <dd>
            {name in before && (
              <>
                <span className="muted">
                  <span className="sr-only">was </span>
                  {sayValue(name, before[name], currency)}
                </span>{' '}
                <span aria-hidden="true">→</span>{' '}
              </>
            )}
            <strong>{sayValue(name, value, currency)}</strong>
            {current && name in current && (
              <span className="warn small request-now">Now it is {sayValue(name, current[name], currency)}</span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
