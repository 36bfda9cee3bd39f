import { Input, Switch, Textarea } from '@mantine/core';
import { EditorContent, useEditor } from '@tiptap/react';
import StarterKit from '@tiptap/starter-kit';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { DESCRIPTION_MAX_LENGTH } from '#contract/card-design.ts';
import { linkAddress } from '#contract/link-address.ts';
import { DescriptionTools } from './DescriptionTools.tsx';
import './description-editor.css';

interface DescriptionEditorProps {
  value?: string;
  error?: ReactNode;
  onChange?: (value: string) => void;
  /** Of a card that cannot be changed here. */
  isLocked?: boolean;
  /** By which the cursor is put into the first field that fails. */
  'data-path'?: string;
}

const ABOUT = 'Shown above the form: headings, paragraphs, lists and links.';

/** Only what may be shown (server/card/sanitise.ts), so that nothing one writes here is taken out when it is saved. */
const EXTENSIONS = [
  StarterKit.configure({
    ...{ heading: { levels: [2, 3] }, strike: false, code: false, codeBlock: false, trailingNode: false },
    link: {
      ...{ openOnClick: false, defaultProtocol: 'https', HTMLAttributes: { rel: null, target: null } },
      isAllowedUri: (address: string) => linkAddress(address) !== undefined,
    },
  }),
];

/** The words above the form, written as they will look, or as HTML. */
export function DescriptionEditor(props: DescriptionEditorProps) {
  const [asHtml, setAsHtml] = useState(false);
  return (
    <div className="form-stack">
      {/* Stays, so that what was written before HTML can still be undone after it. */}
      <div hidden={asHtml}>
        <Words {...props} isAway={asHtml} />
      </div>
      {asHtml && <HtmlText {...props} />}
      <Switch label="Write HTML" size="sm" checked={asHtml} onChange={(event) => setAsHtml(event.currentTarget.checked)} />
    </div>
  );
}

function Words({ value = '', error, onChange, isLocked = false, isAway, 'data-path': path }: DescriptionEditorProps & { isAway: boolean }) {
  const id = useId();
  const known = useRef(value);
  const editor = useEditor({
    extensions: EXTENSIONS,
    content: value,
    editable: !isLocked,
    // The page's own style sheet has what it needs.
    injectCSS: false,
    onUpdate: ({ editor: changed }) => {
      known.current = changed.isEmpty ? '' : changed.getHTML();
      onChange?.(known.current);
    },
  });
  useEffect(() => {
    // Written as HTML, or the form was filled anew: by what a colleague has saved meanwhile, or as it was in the beginning.
    if (isAway || value === known.current) return;
    known.current = value;
    editor.commands.setContent(value, { emitUpdate: false });
  }, [editor, value, isAway]);
  useEffect(() => {
    const attributes = {
      ...{ role: 'textbox', 'aria-multiline': 'true', 'aria-label': 'Description', 'aria-describedby': id },
      'aria-invalid': String(Boolean(error)),
    };
    editor.setOptions({ editorProps: { attributes } });
  }, [editor, error, id]);
  return (
    <Input.Wrapper
      label="Description"
      labelElement="div"
      description={ABOUT}
      descriptionProps={{ id }}
      error={error}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
    >
      <div className="description-editor" data-invalid={Boolean(error) || undefined}>
        <DescriptionTools editor={editor} />
        <EditorContent editor={editor} {...(!isAway && { 'data-path': path })} />
      </div>
    </Input.Wrapper>
  );
}

function HtmlText({ value = '', error, onChange, 'data-path': path }: DescriptionEditorProps) {
  return (
    <Textarea
      label="Description"
      data-path={path}
      description={`${ABOUT} All other HTML is taken out when it is saved.`}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      value={value}
      error={error}
      onChange={(event) => onChange?.(event.currentTarget.value)}
      autosize
      minRows={5}
      maxLength={DESCRIPTION_MAX_LENGTH}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
    />
  );
}
