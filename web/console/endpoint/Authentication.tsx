import { NativeSelect, TagsInput, TextInput } from '@mantine/core';
import { type JsonObject, type Leg, objectAt } from './endpoint-draft.ts';

const KINDS = [
  { value: 'none', label: 'None' },
  { value: 'basic', label: 'User name and password' },
  { value: 'bearer', label: 'Bearer token' },
  { value: 'oauth2', label: 'OAuth 2 client credentials' },
];
const SECRETS: Record<string, string> = {
  basic: 'Password is the secret',
  bearer: 'Token is the secret',
  oauth2: 'Client secret is the secret',
};
const begin: Record<string, JsonObject> = {
  none: { kind: 'none' },
  basic: { kind: 'basic', username: '', secret: 'password' },
  bearer: { kind: 'bearer', secret: 'token' },
  oauth2: { kind: 'oauth2', tokenUrl: '', clientId: '', secret: 'client_secret' },
};

interface AuthenticationProps {
  leg: Leg;
  onChange: (leg: Leg) => void;
  secretNames: readonly string[];
}

/** Who we are to the buyer. A call for a token of the buyer's own making is written as JSON. */
export function Authentication({ leg, onChange, secretNames }: AuthenticationProps) {
  const auth = objectAt(leg.auth);
  const kind = String(auth.kind ?? 'none');
  const isKnown = KINDS.some((one) => one.value === kind);
  const set = (next: JsonObject) => onChange({ ...leg, auth: next });
  const text = (name: string, label: string, placeholder?: string) => (
    <TextInput
      label={label}
      placeholder={placeholder}
      autoComplete="off"
      spellCheck={false}
      maxLength={4000}
      value={String(auth[name] ?? '')}
      onChange={(event) => set({ ...auth, [name]: event.currentTarget.value })}
    />
  );
  return (
    <div className="form-three">
      <NativeSelect
        label="Authentication"
        data={isKnown ? KINDS : [...KINDS, { value: kind, label: 'A call for a token (edit as JSON)' }]}
        value={kind}
        onChange={(event) => begin[event.currentTarget.value] && set(begin[event.currentTarget.value]!)}
      />
      {kind === 'basic' && text('username', 'User name')}
      {kind === 'oauth2' && (
        <>
          {text('tokenUrl', 'Token address', 'https://buyer.example/oauth/token')}
          {text('clientId', 'Client id')}
        </>
      )}
      {SECRETS[kind] && (
        <TagsInput
          label={SECRETS[kind]}
          data={[...secretNames]}
          maxTags={1}
          value={auth.secret ? [String(auth.secret)] : []}
          onChange={([secret = '']) => set({ ...auth, secret })}
        />
      )}
      {kind === 'oauth2' && (
        <>
          <TextInput
            label="Scope"
            maxLength={500}
            value={String(auth.scope ?? '')}
            onChange={(event) => {
              const { scope: _, ...rest } = auth;
              set(event.currentTarget.value === '' ? rest : { ...rest, scope: event.currentTarget.value });
            }}
          />
          <NativeSelect
            label="Client id and secret go"
            data={[
              { value: 'basic', label: 'in the Authorization header' },
              { value: 'body', label: 'in the body' },
            ]}
            value={String(auth.credentials ?? 'basic')}
            onChange={(event) => set({ ...auth, credentials: event.currentTarget.value })}
          />
        </>
      )}
    </div>
  );
}
