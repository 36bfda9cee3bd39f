import { NativeSelect, TagsInput, TextInput } from '@mantine/core';
import type { FieldRow } from '../set-up/rules/filter-words.ts';
import { type JsonObject, type Leg, objectAt } from './endpoint-draft.ts';
import { TokenCall } from './TokenCall.tsx';

const KINDS = [
  { value: 'none', label: 'None' },
  { value: 'basic', label: 'User name and password' },
  { value: 'bearer', label: 'Bearer token' },
  { value: 'oauth2', label: 'OAuth 2 client credentials' },
  { value: 'tokenCall', label: 'A call for a token' },
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
  tokenCall: {
    kind: 'tokenCall',
    scheme: 'Bearer',
    call: { url: '', method: 'POST', body: { format: 'json', mapping: [] }, token: [{ path: 'access_token' }] },
  },
};

interface AuthenticationProps {
  leg: Leg;
  onChange: (leg: Leg) => void;
  fields: readonly FieldRow[];
  secretNames: readonly string[];
}

/** Who we are to the buyer. */
export function Authentication({ leg, onChange, fields, secretNames }: AuthenticationProps) {
  const auth = objectAt(leg.auth);
  const kind = String(auth.kind ?? 'none');
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
    <>
      <div className="form-three">
        <NativeSelect
          label="Authentication"
          data={KINDS}
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
      {kind === 'tokenCall' && <TokenCall auth={auth} onChange={set} fields={fields} secretNames={secretNames} />}
    </>
  );
}
