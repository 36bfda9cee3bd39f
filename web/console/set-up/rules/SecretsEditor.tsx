import { ActionIcon, Button, PasswordInput, TextInput } from '@mantine/core';
import { type EndpointDraft, newOrigins, sayNewOrigins } from '#contract/endpoint.secrets.ts';
import { IconPlus, IconX } from '#web/ui/icons.ts';
import type { RecordRow } from '../../api/record.ts';

/** `value` null: as it is stored, which nobody can read. `gone`: to be taken away. */
export interface SecretText {
  name: string;
  value: string | null;
  gone?: true;
  isNew?: true;
}

/** What is sent: only what was written or taken away. */
export function toSecrets(secrets: readonly SecretText[]): Record<string, string | null> {
  const changed = secrets.filter((one) => one.name !== '' && (one.gone || (one.value !== null && one.value !== '')));
  return Object.fromEntries(changed.map(({ name, value, gone }) => [name, gone ? null : value]));
}

/** For a copy of a record: the names of its secrets, to be written again. */
export const toWriteAnew = (like: RecordRow): SecretText[] => (like.secrets as string[]).map((name) => ({ name, value: '', isNew: true }));

/** What is written now, for a test call before it is saved. */
export const writtenSecrets = (secrets: readonly SecretText[]): Record<string, string> =>
  Object.fromEntries(secrets.flatMap(({ name, value, gone }) => (name && value && !gone ? [[name, value] as const] : [])));

/** Those that are kept as they are stored. */
const keptSecrets = (secrets: readonly SecretText[]): string[] =>
  secrets.filter((one) => !one.gone && !one.isNew && !one.value).map((one) => one.name);

/** A secret that is kept does not go to an address it was not written for; null where none would. `stored`: the endpoint as it was read. */
export function checkSecrets(secrets: readonly SecretText[], stored: unknown, endpoint: unknown): string | null {
  const kept = keptSecrets(secrets);
  const origins = newOrigins((stored ?? {}) as EndpointDraft, (endpoint ?? {}) as EndpointDraft);
  return kept.length > 0 && origins.length > 0 ? sayNewOrigins(origins, kept) : null;
}

interface SecretsEditorProps {
  value: SecretText[];
  onChange: (value: SecretText[]) => void;
  /** Why those that are kept must be written anew; null where they need not. */
  needed: string | null;
}

/** User names, passwords and tokens that the endpoint names: written, replaced or taken away, and never shown again. */
export function SecretsEditor({ value, onChange, needed }: SecretsEditorProps) {
  const set = (at: number, part: Partial<SecretText>) => onChange(value.map((one, index) => (index === at ? { ...one, ...part } : one)));
  const remove = (at: number) => (value[at]!.isNew ? onChange(value.filter((_, index) => index !== at)) : set(at, { gone: true }));
  return (
    <div className="form-stack">
      <span className="small">
        <strong>Secrets</strong> <span className="muted">The endpoint names them; they are sealed and never shown again.</span>
      </span>
      {needed && (
        <span className="warn small" role="status" data-path="secrets">
          {needed}
        </span>
      )}
      <ul className="rule-lines">
        {value.map((secret, at) =>
          secret.gone ? null : (
            // biome-ignore lint/suspicious/noArrayIndexKey: its name is being typed
            <li key={at} className="rule-line">
              <TextInput
                label="Name"
                value={secret.name}
                readOnly={!secret.isNew}
                maxLength={64}
                onChange={(event) => set(at, { name: event.currentTarget.value.replace(/\W/g, '') })}
              />
              <PasswordInput
                label="Value"
                placeholder={secret.isNew ? '' : needed ? 'Write it anew' : 'Kept as it is'}
                error={needed !== null && !secret.isNew && !secret.value}
                autoComplete="new-password"
                maxLength={4000}
                value={secret.value ?? ''}
                onChange={(event) => set(at, { value: event.currentTarget.value })}
              />
              <ActionIcon variant="default" size={36} aria-label={`Remove the secret ${secret.name}`} onClick={() => remove(at)}>
                <IconX size={16} />
              </ActionIcon>
            </li>
          ),
        )}
      </ul>
      <div>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={15} aria-hidden />}
          onClick={() => onChange([...value, { name: '', value: '', isNew: true }])}
        >
          Add a secret
        </Button>
      </div>
    </div>
  );
}
