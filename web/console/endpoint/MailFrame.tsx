import { Switch, TagsInput, Textarea, TextInput } from '@mantine/core';
import { type JsonObject, objectAt } from './endpoint-draft.ts';

const begin: JsonObject = { name: 'lead.xml', root: 'lead' };

/** A mail by its parts. What counts as sold is a rule below, on the code of our mail server: 250 is acceptance. */
export function MailFrame({ body, onChange }: { body: JsonObject; onChange: (body: JsonObject) => void }) {
  const attachment = objectAt(body.attachment);
  const set = (name: string, value: string | string[]) => {
    const { [name]: _, ...rest } = body;
    onChange(value.length === 0 && name !== 'subject' ? rest : { ...rest, [name]: value });
  };
  const part = (name: 'text' | 'html', label: string, description: string) => (
    <Textarea
      label={label}
      description={description}
      autosize
      minRows={3}
      maxRows={16}
      maxLength={20_000}
      spellCheck={name === 'text'}
      value={String(body[name] ?? '')}
      onChange={(event) => set(name, event.currentTarget.value)}
    />
  );
  return (
    <>
      <p className="muted small">
        Goes out by the mail server of this installation, once. Its code is the answer: 250 is acceptance, 4xx and 5xx a refusal with words.
      </p>
      <TextInput
        label="Subject"
        maxLength={500}
        value={String(body.subject ?? '')}
        onChange={(event) => set('subject', event.currentTarget.value)}
      />
      <div className="form-three">
        <TagsInput
          label="Copies to"
          description="At most five addresses."
          maxTags={5}
          value={(Array.isArray(body.copyTo) ? body.copyTo : []).map(String)}
          onChange={(addresses) => set('copyTo', addresses)}
        />
        <TextInput
          label="Answers go to"
          description="Without one, to the sender of this installation."
          type="email"
          autoComplete="off"
          maxLength={254}
          value={String(body.replyTo ?? '')}
          onChange={(event) => set('replyTo', event.currentTarget.value.trim())}
        />
      </div>
      {part('text', 'Text', '{{first_name}}, {{system.leadId}} and the like are filled in; each stays on its line.')}
      {part('html', 'HTML', 'Shown instead of the text by readers that can. A value is text in it, whatever it holds.')}
      <Switch
        label="Attach the lead as an XML document"
        checked={body.attachment !== undefined}
        onChange={(event) => {
          const { attachment: _, ...rest } = body;
          // The rows are those of the document.
          onChange(event.currentTarget.checked ? { ...rest, attachment: begin } : { ...rest, mapping: [] });
        }}
      />
      {body.attachment !== undefined && (
        <div className="form-three">
          <TextInput
            label="Name of the file"
            spellCheck={false}
            maxLength={100}
            value={String(attachment.name ?? '')}
            onChange={(event) => onChange({ ...body, attachment: { ...attachment, name: event.currentTarget.value } })}
          />
          <TextInput
            label="Root element"
            spellCheck={false}
            maxLength={200}
            value={String(attachment.root ?? '')}
            onChange={(event) => onChange({ ...body, attachment: { ...attachment, root: event.currentTarget.value } })}
          />
        </div>
      )}
    </>
  );
}
