import { useEffect, useRef } from 'react';
import type { QuickViewIcon } from '#contract/reporting.ts';
import {
  IconBook,
  IconChevronRight,
  IconFileText,
  IconGauge,
  IconLock,
  IconLogout,
  IconPlus,
  IconSettings,
  IconTable,
  IconUser,
  IconUsers,
  IconUsersGroup,
} from '#web/ui/icons.ts';
import type { QuickAction } from './quick-view-actions.ts';

const icons: Record<QuickViewIcon, typeof IconBook> = {
  page: IconFileText,
  overview: IconGauge,
  leads: IconTable,
  settings: IconSettings,
  lock: IconLock,
  people: IconUsers,
  book: IconBook,
  plus: IconPlus,
  person: IconUser,
  team: IconUsersGroup,
  leave: IconLogout,
  record: IconChevronRight,
};

interface ActionListProps {
  id: string;
  actions: readonly QuickAction[];
  term: string;
  /** Records are on their way, or could not be asked for: it is not said that there is nothing. */
  isOpen: boolean;
  activeId: string | undefined;
  onPoint: (id: string) => void;
  onRun: (action: QuickAction) => void;
}

export function ActionList({ id, actions, term, isOpen, activeId, onPoint, onRun }: ActionListProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (activeId) list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);
  return (
    <div className="quick-view-list" role="listbox" id={id} aria-label="Actions" ref={list}>
      {actions.map((action) => (
        <Option
          key={action.id}
          id={`${id}-${action.id}`}
          action={action}
          isActive={action.id === activeId}
          onPoint={onPoint}
          onRun={onRun}
        />
      ))}
      {actions.length === 0 && !isOpen && (
        // biome-ignore lint/a11y/useFocusableInteractive: the list is steered from its input, options never take the focus
        <div role="option" aria-disabled aria-selected={false} className="quick-view-nothing">
          No results match "{term.trim()}"
        </div>
      )}
    </div>
  );
}

interface OptionProps extends Pick<ActionListProps, 'onPoint' | 'onRun'> {
  id: string;
  action: QuickAction;
  isActive: boolean;
}

function Option({ id, action, isActive, onPoint, onRun }: OptionProps) {
  const Icon = icons[action.icon];
  return (
    // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: the keys come from the search box
    <div
      role="option"
      id={id}
      aria-selected={isActive}
      className="quick-view-action"
      // A pointer at rest over a list that scrolls under it chooses nothing.
      onMouseMove={() => isActive || onPoint(action.id)}
      onClick={() => onRun(action)}
    >
      <Icon size={18} stroke={1.7} aria-hidden />
      <span>{action.name}</span>
      {action.hint && <span className="quick-view-hint">{action.hint}</span>}
    </div>
  );
}
