import { NativeSelect, Textarea } from '@mantine/core';
import type { FieldRow } from '../set-up/rules/filter-words.ts';
import { formatOf, type JsonObject, type Leg, mappingOf, objectAt, setMapping } from './endpoint-draft.ts';
import { MailFrame } from './MailFrame.tsx';
import { Rows } from './Rows.tsx';
import { SoapFrame } from './SoapFrame.tsx';
import { WrapFrame } from './WrapFrame.tsx';
import { XmlFrame } from './XmlFrame.tsx';

interface SentBodyProps {
  leg: Leg;
  onChange: (leg: Leg) => void;
  fields: readonly FieldRow[];
  secretNames: readonly string[];
  isNotice: boolean;
}

/** What is sent, in the shape of its format: the frame around it, and the rows. */
export function SentBody({ leg, onChange, fields, secretNames, isNotice }: SentBodyProps) {
  const format = formatOf(leg);
  const body = objectAt(leg.body);
  const setBody = (next: JsonObject) => onChange({ ...leg, body: next });
  if (format === 'text') return <FreeText body={body} onChange={setBody} />;
  const hasRows = format !== 'mail' || body.attachment !== undefined;
  return (
    <div className="form-stack">
      {format === 'xml' && <XmlFrame body={body} onChange={setBody} />}
      {format === 'soap' && <SoapFrame body={body} onChange={setBody} />}
      {format === 'mail' && <MailFrame body={body} onChange={setBody} />}
      {hasRows && (
        <>
          <h2>{format === 'mail' ? 'What is attached' : 'What is sent'}</h2>
          <Rows
            rows={mappingOf(leg)}
            onChange={(rows) => onChange(setMapping(leg, rows))}
            fields={fields}
            secretNames={secretNames}
            typed={format === 'json'}
            isNotice={isNotice}
          />
        </>
      )}
      {(format === 'json' || format === 'xml') && (
        <WrapFrame
          body={body}
          onChange={setBody}
          isJson={format === 'json'}
          fields={fields}
          secretNames={secretNames}
          isNotice={isNotice}
        />
      )}
    </div>
  );
}

const ESCAPES = [
  { value: 'none', label: 'plain text: line breaks become blanks' },
  { value: 'json', label: 'JSON: inside quotation marks' },
  { value: 'xml', label: 'XML' },
  { value: 'url', label: 'a form or a query: percent-encoded' },
  { value: 'csv', label: 'comma-separated values' },
];

function FreeText({ body, onChange }: { body: JsonObject; onChange: (body: JsonObject) => void }) {
  return (
    <div className="form-stack">
      <Textarea
        label="Text"
        description="{{email}}, {{system.leadId}}, {{secret.password}} and the like are filled in; {{phone | phone:###-###-####}} is written another way."
        autosize
        minRows={4}
        spellCheck={false}
        maxLength={20_000}
        value={String(body.template ?? '')}
        onChange={(event) => onChange({ ...body, template: event.currentTarget.value })}
      />
      <NativeSelect
        label="Values are written for"
        description="Whatever a value holds, it stays a value there."
        data={ESCAPES}
        value={String(body.escape ?? 'none')}
        onChange={(event) => onChange({ ...body, escape: event.currentTarget.value })}
      />
    </div>
  );
}
