import { TextInput } from '@mantine/core';
import type { FieldRow } from '../set-up/rules/filter-words.ts';
import { type Json, type JsonObject, objectAt, rowsAt } from './endpoint-draft.ts';
import { Rows } from './Rows.tsx';

interface WrapFrameProps {
  body: JsonObject;
  onChange: (body: JsonObject) => void;
  isJson: boolean;
  fields: readonly FieldRow[];
  secretNames: readonly string[];
  isNotice: boolean;
}

/** What stands around a document: one object of a name, or one parameter of a form with others beside it. */
export function WrapFrame({ body, onChange, isJson, fields, secretNames, isNotice }: WrapFrameProps) {
  const wrap = objectAt(body.wrap);
  const parameter = String(wrap.parameter ?? '');
  const without = (name: 'root' | 'wrap') => Object.fromEntries(Object.entries(body).filter(([key]) => key !== name));
  return (
    <details open={'wrap' in body || (isJson && 'root' in body)}>
      <summary>Wrapped in something</summary>
      <div className="form-stack">
        <div className="form-three">
          {isJson && (
            <TextInput
              label="In one object named"
              placeholder="Request"
              spellCheck={false}
              maxLength={200}
              value={String(body.root ?? '')}
              onChange={(event) =>
                onChange(event.currentTarget.value === '' ? without('root') : { ...body, root: event.currentTarget.value })
              }
            />
          )}
          <TextInput
            label="In one form parameter named"
            description="The whole document is its value."
            placeholder={isJson ? 'payload' : 'xml'}
            spellCheck={false}
            maxLength={200}
            value={parameter}
            onChange={(event) =>
              onChange(
                event.currentTarget.value === '' ? without('wrap') : { ...body, wrap: { ...wrap, parameter: event.currentTarget.value } },
              )
            }
          />
        </div>
        {parameter !== '' && (
          <>
            <h2>Beside {parameter}</h2>
            <Rows
              rows={rowsAt(wrap.beside)}
              onChange={(beside) => onChange({ ...body, wrap: { ...wrap, beside: beside as unknown as Json } })}
              fields={fields}
              secretNames={secretNames}
              typed={false}
              isNotice={isNotice}
            />
          </>
        )}
      </div>
    </details>
  );
}
