import { ActionIcon, Button, PasswordInput, TextInput } from '@mantine/core';
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

/** User names, passwords and tokens that the endpoint names: written, replaced or taken away, and never shown again. */
export function SecretsEditor({ value, onChange }: { value: SecretText[]; onChange: (value: SecretText[]) => void }) {
  const set = (at: number, part: Partial<SecretText>) => onChange(value.map((one, index) => (index === at ? { ...one, ...part } : one)));
  const remove = (at: number) => (value[at]!.isNew ? onChange(value.filter((_, index) => index !== at)) : set(at, { gone: true }));
  return (
    <div className="form-stack">
      <span className="small">
        <strong>Secrets</strong> <span className="muted">The endpoint names them; they are sealed and never shown again.</span>
      </span>
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
                placeholder={secret.isNew ? '' : 'Kept as it is'}
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
