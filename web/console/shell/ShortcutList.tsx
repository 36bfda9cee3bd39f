import { Modal, Switch } from '@mantine/core';
import { useState } from 'react';
import { shortcutsAreOn, switchShortcuts } from '#web/ui/shortcuts.ts';
import { menu } from '../paths.ts';
import { quickViewKeys } from './quick-view-keys.ts';

const groups: { title: string; lines: { keys: string[]; does: string }[] }[] = [
  {
    title: 'Everywhere',
    lines: [
      { keys: ['?'], does: 'Show this list' },
      { keys: quickViewKeys.split(' '), does: 'Open the quick view' },
      ...menu.map(({ shortcut, label }) => ({ keys: ['g', shortcut], does: `Go to ${label}` })),
      { keys: ['/'], does: 'Put the cursor into the search' },
      { keys: ['Esc'], does: 'Close what is on top' },
    ],
  },
  {
    title: 'On a lead',
    lines: [
      { keys: ['j'], does: 'Next attempt' },
      { keys: ['k'], does: 'Previous attempt' },
      { keys: ['u'], does: 'Back to the list' },
    ],
  },
];

export function ShortcutList({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [on, setOn] = useState(shortcutsAreOn);
  const change = (next: boolean) => {
    switchShortcuts(next);
    setOn(next);
  };
  return (
    <Modal opened={opened} onClose={onClose} title="Keyboard shortcuts" size={460}>
      {groups.map(({ title, lines }) => (
        <section key={title} className="shortcut-group">
          <h3>{title}</h3>
          <dl>
            {lines.map(({ keys, does }) => (
              <div key={does}>
                <dt>{does}</dt>
                <dd>
                  {keys.map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <Switch
        checked={on}
        onChange={(event) => change(event.currentTarget.checked)}
        label="Single-key shortcuts"
        description="Switch them off if they get in the way of speech input."
      />
    </Modal>
  );
}
