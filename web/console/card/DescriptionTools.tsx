import { ActionIcon, Button, TextInput } from '@mantine/core';
import { type ChainedCommands, type Editor, useEditorState } from '@tiptap/react';
import { type ComponentType, type KeyboardEvent, useState } from 'react';
import { linkAddress } from '#contract/link-address.ts';
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconBlockquote,
  IconBold,
  IconH2,
  IconH3,
  IconItalic,
  IconLink,
  IconList,
  IconListNumbers,
  IconUnderline,
} from '#web/ui/icons.ts';

interface Tool {
  label: string;
  icon: ComponentType<{ size: number }>;
  act: (chain: ChainedCommands) => ChainedCommands;
  /** What the editor calls it where the cursor stands in it. */
  mark?: [name: string, attributes?: object];
}

const TOOLS: Tool[] = [
  { label: 'Heading', icon: IconH2, mark: ['heading', { level: 2 }], act: (chain) => chain.toggleHeading({ level: 2 }) },
  { label: 'Smaller heading', icon: IconH3, mark: ['heading', { level: 3 }], act: (chain) => chain.toggleHeading({ level: 3 }) },
  { label: 'Bold', icon: IconBold, mark: ['bold'], act: (chain) => chain.toggleBold() },
  { label: 'Italic', icon: IconItalic, mark: ['italic'], act: (chain) => chain.toggleItalic() },
  { label: 'Underline', icon: IconUnderline, mark: ['underline'], act: (chain) => chain.toggleUnderline() },
  { label: 'List', icon: IconList, mark: ['bulletList'], act: (chain) => chain.toggleBulletList() },
  { label: 'Numbered list', icon: IconListNumbers, mark: ['orderedList'], act: (chain) => chain.toggleOrderedList() },
  { label: 'Quotation', icon: IconBlockquote, mark: ['blockquote'], act: (chain) => chain.toggleBlockquote() },
];
const STEPS: Tool[] = [
  { label: 'Undo', icon: IconArrowBackUp, act: (chain) => chain.undo() },
  { label: 'Redo', icon: IconArrowForwardUp, act: (chain) => chain.redo() },
];

/** The buttons above a description, and the address of a link. */
export function DescriptionTools({ editor }: { editor: Editor }) {
  const [linking, setLinking] = useState(false);
  const on = useEditorState({
    editor,
    selector: ({ editor: now }) => ({
      active: TOOLS.map(({ mark }) => mark !== undefined && now.isActive(...mark)),
      steps: [now.can().undo(), now.can().redo()],
      href: now.isActive('link') ? String(now.getAttributes('link').href) : undefined,
    }),
  });
  const run = ({ act }: Tool) => act(editor.chain().focus()).run();
  return (
    <div className="description-tools">
      <div role="toolbar" aria-label="Look of the description" onKeyDown={walk}>
        {TOOLS.map((tool, at) => (
          <ToolButton key={tool.label} tool={tool} pressed={on.active[at]!} first={at === 0} onClick={() => run(tool)} />
        ))}
        <ToolButton
          tool={{ label: 'Link', icon: IconLink }}
          pressed={on.href !== undefined}
          expanded={linking}
          onClick={() => setLinking(!linking)}
        />
        {STEPS.map((tool, at) => (
          <ToolButton key={tool.label} tool={tool} disabled={!on.steps[at]} onClick={() => run(tool)} />
        ))}
      </div>
      {linking && (
        <LinkAddress
          key={on.href}
          href={on.href}
          onClose={() => {
            setLinking(false);
            editor.commands.focus();
          }}
          onSet={(href) => {
            setLinking(false);
            const chain = editor.chain().focus().extendMarkRange('link');
            if (href === '') chain.unsetLink().run();
            else if (editor.state.selection.empty && !on.href)
              chain.insertContent({ type: 'text', text: href, marks: [{ type: 'link', attrs: { href } }] }).run();
            else chain.setLink({ href }).run();
          }}
        />
      )}
    </div>
  );
}

interface ToolButtonProps {
  tool: Pick<Tool, 'label' | 'icon'>;
  pressed?: boolean;
  expanded?: boolean;
  disabled?: boolean;
  first?: boolean;
  onClick: () => void;
}

/** One stop of the Tab key for all of them; arrows go from one to the next. */
function ToolButton({ tool: { label, icon: Icon }, pressed, expanded, disabled, first, onClick }: ToolButtonProps) {
  return (
    <ActionIcon
      variant={pressed ? 'light' : 'subtle'}
      {...(!pressed && { color: 'gray' })}
      aria-label={label}
      title={label}
      aria-pressed={pressed}
      aria-expanded={expanded}
      tabIndex={first ? 0 : -1}
      aria-disabled={disabled}
      data-disabled={disabled ?? false}
      // The selection stays where it is.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => disabled || onClick()}
    >
      <Icon size={17} />
    </ActionIcon>
  );
}

function walk(event: KeyboardEvent<HTMLDivElement>) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const buttons = [...event.currentTarget.querySelectorAll('button')];
  buttons.at((buttons.indexOf(document.activeElement as HTMLButtonElement) + step) % buttons.length)?.focus();
  event.preventDefault();
}

interface LinkAddressProps {
  href: string | undefined;
  onSet: (href: string) => void;
  onClose: () => void;
}

function LinkAddress({ href, onSet, onClose }: LinkAddressProps) {
  const [address, setAddress] = useState(href ?? '');
  const [problem, setProblem] = useState('');
  const set = () => {
    const read = address.trim() === '' ? '' : linkAddress(address);
    if (read === undefined) setProblem('Write a web address, an e-mail address, or tel: and a number.');
    else onSet(read);
  };
  return (
    <div className="description-link">
      <TextInput
        aria-label="Address of the link"
        placeholder="https://"
        value={address}
        error={problem}
        onChange={(event) => {
          setAddress(event.currentTarget.value);
          setProblem('');
        }}
        onKeyDown={(event) => {
          const act = { Enter: set, Escape: onClose }[event.key];
          if (!act) return;
          event.preventDefault();
          act();
        }}
        data-autofocus
        autoFocus
      />
      <Button size="sm" variant="default" onClick={set}>
        {href && address.trim() === '' ? 'Remove link' : 'Set link'}
      </Button>
    </div>
  );
}
