import { Popover } from '@mantine/core';
import { useState } from 'react';
import { IconInfoCircle } from './icons.ts';

/** Beside the name of a figure: a button that says what is counted in it. */
export function HowComputed({ label, text }: { label: string; text: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom" width={280} withArrow withRoles={false} trapFocus returnFocus>
      <Popover.Target>
        <button
          type="button"
          className="bare how-computed no-print"
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          aria-label={`How “${label}” is computed`}
          onClick={() => setOpen(!isOpen)}
        >
          <IconInfoCircle size={15} aria-hidden />
        </button>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={`How “${label}” is computed`} tabIndex={-1} data-autofocus>
        <p className="how-text">{text}</p>
      </Popover.Dropdown>
    </Popover>
  );
}
