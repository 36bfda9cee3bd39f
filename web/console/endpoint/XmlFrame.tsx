import { Switch, Textarea, TextInput } from '@mantine/core';
import type { JsonObject } from './endpoint-draft.ts';

/** Around the rows of an XML body: a root element, or markup of one's own (a SOAP envelope, say). */
export function XmlFrame({ body, onChange }: { body: JsonObject; onChange: (body: JsonObject) => void }) {
  const set = (name: string, value: string) => {
    const { [name]: _, ...rest } = body;
    onChange(value === '' ? rest : { ...rest, [name]: value });
  };
  return (
    <>
      <TextInput
        label="Root element"
        description="Around all rows; may be empty where markup of your own opens and closes the document."
        maxLength={200}
        spellCheck={false}
        value={String(body.root ?? '')}
        onChange={(event) => set('root', event.currentTarget.value)}
      />
      <details open={['xml_header', 'xml_open', 'xml_close'].some((name) => name in body)}>
        <summary>Markup of your own</summary>
        <div className="form-stack">
          {(
            [
              ['xml_header', 'xml_header: before everything'],
              ['xml_open', 'xml_open: before the rows'],
              ['xml_close', 'xml_close: after the rows'],
            ] as const
          ).map(([name, label]) => (
            <Textarea
              key={name}
              label={label}
              autosize
              minRows={1}
              maxRows={10}
              maxLength={20_000}
              spellCheck={false}
              value={String(body[name] ?? '')}
              onChange={(event) => set(name, event.currentTarget.value)}
            />
          ))}
          <Switch
            label="Begin with the XML declaration"
            description="Unless xml_header says it."
            checked={body.declaration !== false}
            onChange={(event) => {
              const { declaration: _, ...rest } = body;
              onChange(event.currentTarget.checked ? rest : { ...rest, declaration: false });
            }}
          />
        </div>
      </details>
    </>
  );
}
