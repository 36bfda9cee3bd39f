import { NativeSelect, TextInput } from '@mantine/core';
import type { FieldRow } from '../set-up/rules/filter-words.ts';
import { type Json, type JsonObject, objectAt, rowsAt } from './endpoint-draft.ts';
import { Places } from './Places.tsx';
import { Rows } from './Rows.tsx';

interface TokenCallProps {
  auth: JsonObject;
  onChange: (auth: JsonObject) => void;
  fields: readonly FieldRow[];
  secretNames: readonly string[];
}

const objectsAt = (value: Json | undefined): JsonObject[] => (Array.isArray(value) ? value : []).map(objectAt);
const FORMATS = [
  { value: 'json', label: 'JSON' },
  { value: 'form', label: 'Form' },
];

/** The call made first for a token of the buyer's own making, and where the token goes. It is kept until it expires or is refused. */
export function TokenCall({ auth, onChange, fields, secretNames }: TokenCallProps) {
  const call = objectAt(auth.call);
  const body = objectAt(call.body);
  const expiry = objectAt(call.expiry);
  const set = (part: JsonObject) => onChange({ ...auth, call: { ...call, ...part } });
  const format = String(body.format ?? 'json');
  const isKnown = FORMATS.some((one) => one.value === format);
  return (
    <div className="form-stack token-call">
      <div className="endpoint-address">
        <NativeSelect
          label="Method"
          data={['POST', 'PUT']}
          value={String(call.method ?? 'POST')}
          onChange={(event) => set({ method: event.currentTarget.value })}
        />
        <TextInput
          label="Token address"
          placeholder="https://buyer.example/login"
          spellCheck={false}
          autoComplete="off"
          maxLength={4000}
          value={String(call.url ?? '')}
          onChange={(event) => set({ url: event.currentTarget.value.trim() })}
        />
        <NativeSelect
          label="Sent as"
          data={isKnown ? FORMATS : [...FORMATS, { value: format, label: `${format} (edit as JSON)` }]}
          value={format}
          onChange={(event) => set({ body: { ...body, format: event.currentTarget.value } })}
        />
      </div>
      {isKnown && (
        <Rows
          rows={rowsAt(body.mapping)}
          onChange={(mapping) => set({ body: { ...body, mapping: mapping as unknown as Json } })}
          fields={fields}
          secretNames={secretNames}
          typed={format === 'json'}
          isNotice={false}
        />
      )}
      <div className="form-three">
        <div>
          <p className="small">The token stands at</p>
          <Places what="token" hint="access_token" places={objectsAt(call.token)} onChange={(token) => set({ token })} />
        </div>
        <div>
          <p className="small">It holds for the seconds at</p>
          <Places
            what="lifetime"
            hint="expires_in"
            places={objectsAt(expiry.at)}
            onChange={(at) => {
              const { expiry: _, ...rest } = call;
              onChange({ ...auth, call: at.length === 0 ? rest : { ...rest, expiry: { unit: 'seconds', ...expiry, at } } });
            }}
          />
        </div>
        <TextInput
          label="Authorization begins with"
          description="Empty for the bare token."
          placeholder="Bearer"
          spellCheck={false}
          maxLength={40}
          value={String(auth.scheme ?? '')}
          onChange={(event) => onChange({ ...auth, scheme: event.currentTarget.value.trim() })}
        />
      </div>
    </div>
  );
}
