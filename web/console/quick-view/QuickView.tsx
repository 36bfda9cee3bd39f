import { Modal } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type MouseEvent, useId, useState } from 'react';
import { SEARCH_DELAY_MS } from '#contract/console-constants.ts';
import { IconSearch } from '#web/ui/icons.ts';
import { quickViewQuery, quickViewRecordsQuery } from '../api/quick-view.ts';
import { usePlaceName, usePlaceRecords, useSetup } from '../shell/use-place.ts';
import { ActionList } from './ActionList.tsx';
import { defaultActions, matchActions, type QuickAction, stepActive } from './quick-view-actions.ts';
import { useRunAction } from './use-run-action.ts';
import './quick-view.css';

interface QuickViewProps {
  opened: boolean;
  onClose: () => void;
  onAddVertical: (regionId: string | undefined) => void;
}

/** Console §2: alt+p opens it, esc closes it; it lies over every other dialog. */
export function QuickView({ opened, onClose, onAddVertical }: QuickViewProps) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      withCloseButton={false}
      // Its own key handler closes it: this one would close the dialog underneath along with it.
      closeOnEscape={false}
      centered={false}
      yOffset="10vh"
      size={580}
      padding={0}
      zIndex={250}
      transitionProps={{ duration: 0 }}
      attributes={{ content: { 'aria-label': 'Quick view' } }}
    >
      <Palette onClose={onClose} onAddVertical={onAddVertical} />
    </Modal>
  );
}

function Palette({ onClose, onAddVertical }: Omit<QuickViewProps, 'opened'>) {
  const [term, setTerm] = useState('');
  const [chosenId, setChosenId] = useState<string>();
  const place = useQuickPlace();
  const { actions, note } = useActions(place);
  const records = useRecords(place, term);
  const listId = useId();
  const shown = [...matchActions(actions, term), ...records.found];
  const active = shown.find((one) => one.id === chosenId) ?? shown[0];
  const runAction = useRunAction(onAddVertical);
  const run = (action: QuickAction) => {
    onClose();
    runAction(action);
  };
  const press = (event: KeyboardEvent) => {
    // The keys of an input method that is still composing a word are its own.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') onClose();
    else if (event.key === 'ArrowDown') setChosenId(stepActive(shown, active?.id, 1));
    else if (event.key === 'ArrowUp') setChosenId(stepActive(shown, active?.id, -1));
    else if (event.key === 'Enter' && active && event.target instanceof HTMLInputElement) run(active);
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys come from the search box inside
    <div className="quick-view" onKeyDown={press} onMouseDown={keepFocus}>
      <div className="quick-view-search">
        <IconSearch size={19} aria-hidden />
        <input
          role="combobox"
          aria-label="Search actions"
          aria-expanded
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={active && `${listId}-${active.id}`}
          placeholder="What do you want to do, or open?"
          autoComplete="off"
          spellCheck={false}
          value={term}
          onChange={(event) => {
            setTerm(event.currentTarget.value);
            setChosenId(undefined);
          }}
          data-autofocus
          {...keepEscape}
        />
        <button type="button" className="bare" aria-label="Esc: close" onClick={onClose} {...keepEscape}>
          <kbd aria-hidden>Esc</kbd>
        </button>
      </div>
      <ActionList
        id={listId}
        actions={shown}
        term={term}
        isOpen={records.note !== ''}
        activeId={active?.id}
        onPoint={setChosenId}
        onRun={run}
      />
      <p className="quick-view-note" role="status">
        {note || records.note}
      </p>
    </div>
  );
}

/** Dialogs underneath leave an Escape alone that comes from an element with this mark. */
const keepEscape = { 'data-mantine-stop-propagation': 'true' };

/** A click beside the search box would take the focus, and with it the keys. */
function keepFocus(event: MouseEvent): void {
  if (!(event.target instanceof HTMLInputElement)) event.preventDefault();
}

type QuickPlace = ReturnType<typeof useQuickPlace>;

function useQuickPlace() {
  const { region, vertical } = usePlaceRecords();
  return {
    regionId: region?._id ?? '',
    verticalId: vertical?._id ?? '',
    regionSlug: region?.slug ?? '',
    verticalSlug: vertical?.slug ?? '',
  };
}

/** A single letter would find nearly everything. */
const shortestSearch = 2;

/** Publishers, buyers, campaigns and tiers by their names, asked for once the typing has stopped (console §9: 300 ms). */
function useRecords(place: QuickPlace, term: string): { found: QuickAction[]; note: string } {
  const wanted = term.trim().length < shortestSearch ? '' : term.trim();
  const [settled] = useDebouncedValue(wanted, SEARCH_DELAY_MS);
  const { data, isFetching, isError } = useQuery(quickViewRecordsQuery(place, settled));
  const isAsked = wanted !== '' && place.verticalId !== '';
  const isSettled = settled === wanted;
  const isLooking = isAsked && (!isSettled || isFetching);
  const isUnknown = isAsked && isSettled && !data && isError;
  return {
    found: isSettled && wanted !== '' ? (data ?? []) : [],
    note: isLooking ? 'Looking for records…' : isUnknown ? 'Records could not be looked for.' : '',
  };
}

/** The default actions are there at once; the server's join them, or do not. */
function useActions(place: QuickPlace): { actions: QuickAction[]; note: string } {
  const { permission } = useSetup();
  const placeName = usePlaceName();
  const { data, isPending, isError } = useQuery(quickViewQuery(place));
  const own = defaultActions(Boolean(permission?.isOwner || permission?.isSuperAdmin));
  const more = (data ?? []).map((action) => ({ ...action, ...hintOf(action, placeName) }));
  const note = isPending ? 'Looking for more actions…' : isError ? 'More actions could not be loaded.' : '';
  return { actions: [...own, ...more], note };
}

function hintOf(action: { type: number; params: { slugV?: string | undefined } }, placeName: string): { hint?: string } {
  if (action.type === 2) return { hint: 'New tab' };
  return action.params.slugV ? { hint: placeName } : {};
}
