import { Switch, TagsInput, TextInput } from '@mantine/core';
import { type JsonObject, type Leg, objectAt } from './endpoint-draft.ts';

interface SignatureProps {
  leg: Leg;
  onChange: (leg: Leg) => void;
  secretNames: readonly string[];
}

const DAY_MS = 86_400_000;

/** Whether the body is signed, with which secret, and with which other one while the buyer changes over. */
export function Signature({ leg, onChange, secretNames }: SignatureProps) {
  const sign = objectAt(leg.sign);
  const previous = objectAt(sign.previous);
  const set = (next: JsonObject) => onChange({ ...leg, sign: next });
  const { previous: _, ...current } = sign;
  const setPrevious = (secret: string) =>
    set(
      secret === ''
        ? current
        : { ...current, previous: { until: String(previous.until ?? new Date(Date.now() + 7 * DAY_MS).toISOString()), secret } },
    );
  return (
    <details open={leg.sign !== undefined}>
      <summary>Signature</summary>
      <div className="form-stack">
        <Switch
          label="Sign the body"
          description="HMAC-SHA256 over time and body, in X-Sluice-Timestamp and X-Sluice-Signature: the buyer can tell that a call is from you, whole and fresh."
          checked={leg.sign !== undefined}
          onChange={(event) => {
            const { sign: _sign, ...rest } = leg;
            onChange(event.currentTarget.checked ? { ...rest, sign: { secret: 'signing' } } : rest);
          }}
        />
        {leg.sign !== undefined && (
          <div className="form-three">
            <TagsInput
              label="Signed with the secret"
              data={[...secretNames]}
              maxTags={1}
              value={sign.secret ? [String(sign.secret)] : []}
              onChange={([secret = '']) => set({ ...sign, secret })}
            />
            <TagsInput
              label="Until then also with"
              description="The one before, while the buyer changes over."
              data={[...secretNames]}
              maxTags={1}
              value={previous.secret ? [String(previous.secret)] : []}
              onChange={([secret = '']) => setPrevious(secret)}
            />
            {previous.secret !== undefined && (
              <TextInput
                label="Until (UTC)"
                type="datetime-local"
                value={String(previous.until ?? '').slice(0, 16)}
                onChange={(event) =>
                  event.currentTarget.value !== '' &&
                  set({ ...current, previous: { ...previous, until: `${event.currentTarget.value.slice(0, 16)}:00Z` } })
                }
              />
            )}
          </div>
        )}
      </div>
    </details>
  );
}
