import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import type { JsonObject } from './endpoint-draft.ts';

/** A SOAP call by its parts; the envelope is written around them. */
export function SoapFrame({ body, onChange }: { body: JsonObject; onChange: (body: JsonObject) => void }) {
  const text = (name: string, label: string, placeholder: string, maxLength: number) => (
    <TextInput
      label={label}
      placeholder={placeholder}
      spellCheck={false}
      autoComplete="off"
      maxLength={maxLength}
      value={String(body[name] ?? '')}
      onChange={(event) => onChange({ ...body, [name]: event.currentTarget.value.trim() })}
    />
  );
  return (
    <>
      <div className="form-three">
        <NativeSelect
          label="SOAP"
          data={[
            { value: '1.1', label: '1.1, action in a header' },
            { value: '1.2', label: '1.2, action in the content type' },
          ]}
          value={String(body.version ?? '1.1')}
          onChange={(event) => onChange({ ...body, version: event.currentTarget.value })}
        />
        {text('operation', 'Operation', 'PostLead', 200)}
        {text('action', 'Action', 'urn:buyer/PostLead', 500)}
      </div>
      {text('namespace', 'Namespace of the operation', 'urn:buyer', 500)}
      <details open={'header' in body}>
        <summary>Header of the envelope</summary>
        <Textarea
          label="Markup"
          description="{{secret.password}} and the like are filled in."
          placeholder={'<Auth xmlns="urn:buyer"><Password>{{secret.password}}</Password></Auth>'}
          autosize
          minRows={2}
          maxRows={10}
          maxLength={20_000}
          spellCheck={false}
          value={String(body.header ?? '')}
          onChange={(event) => {
            const { header: _, ...rest } = body;
            onChange(event.currentTarget.value === '' ? rest : { ...rest, header: event.currentTarget.value });
          }}
        />
      </details>
    </>
  );
}
