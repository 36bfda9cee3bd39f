import { Button, Checkbox, Menu, Modal, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import type { SavedView, ViewPage } from '#contract/saved-view.ts';
import { DialogEnd } from '#web/ui/DialogEnd.tsx';
import { IconCheck, IconChevronDown } from '#web/ui/icons.ts';
import { toast } from '#web/ui/toast.ts';
import { ApiError } from '../api/client.ts';
import type { Place } from '../api/lead.ts';
import { addView, changeView, removeView, restoreView, setDefaultView, viewsQuery } from '../api/saved-view.ts';
import { fromView, isOtherThan, toViewSearch, type ViewAddress } from './view-search.ts';
import './report.css';

type Viewed = { view?: string | undefined };

interface ViewsMenuProps<Search extends Viewed> {
  place: Place;
  page: ViewPage;
  search: Search;
  address: ViewAddress<Search>;
  /** Those of the table in sight. */
  columns?: readonly string[] | undefined;
}

type Dialog = 'save' | 'rename';

/** The views of a page: opened, kept, renamed, shared, made one's own beginning, and taken away. */
export function ViewsMenu<Search extends Viewed>({ place, page, search, address, columns }: ViewsMenuProps<Search>) {
  const query = viewsQuery(place, page);
  const { data, isError } = useQuery(query);
  const client = useQueryClient();
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<Dialog>();
  const views = data?.views ?? [];
  const open = views.find(({ _id }) => _id === search.view);
  const isChanged = open !== undefined && isOtherThan(address, open.search, search, columns);
  const again = () => client.invalidateQueries({ queryKey: query.queryKey });
  const go = (next: Viewed) => void navigate({ to: '.', search: next as never, resetScroll: false });
  const act = useMutation({
    mutationFn: (work: () => Promise<{ msg: string }>) => work(),
    onSuccess: ({ msg }) => void toast('success', msg),
    onError: (error) => void toast('error', error.message),
    onSettled: again,
  });
  const turnDefault = useMutation({
    mutationFn: (view: SavedView) => setDefaultView(view, !view.isDefault),
    // Who goes on at once finds the page as they asked for it.
    onMutate: async ({ _id, isDefault }) => {
      await client.cancelQueries(query);
      const before = client.getQueryData(query.queryKey);
      const views = before?.views.map((one) => ({ ...one, isDefault: one._id === _id && !isDefault }));
      if (before && views) client.setQueryData(query.queryKey, { ...before, views });
      return before;
    },
    onSuccess: ({ msg }) => void toast('success', msg),
    onError: (error, _view, before) => {
      client.setQueryData(query.queryKey, before);
      void toast('error', error.message);
    },
    onSettled: again,
  });
  const remove = useMutation({
    mutationFn: removeView,
    onSuccess: ({ msg }, view) => {
      void toast('success', msg, { label: 'Undo', run: () => act.mutate(() => restoreView(view)) });
      if (search.view === view._id) go({ ...search, view: undefined });
    },
    onError: (error) => void toast('error', error.message),
    onSettled: again,
  });
  const now = () => toViewSearch(address, search, columns);
  return (
    <>
      <Menu position="bottom-start" width={300} withInitialFocusPlaceholder={false} returnFocus>
        <Menu.Target>
          <button type="button" className="tool-button no-print views-button" disabled={isError}>
            {open ? `View: ${open.name}` : 'Views'}
            {isChanged && <span className="muted small"> changed</span>} <IconChevronDown size={14} aria-hidden />
          </button>
        </Menu.Target>
        <Menu.Dropdown aria-label="Views of this page" className="views-menu">
          {views.length === 0 && <Menu.Label>A view keeps span, filters, columns and order of this page by a name.</Menu.Label>}
          <ViewItems
            label="Mine"
            views={views.filter(({ isOwn }) => isOwn)}
            open={open}
            onOpen={(view) => go(fromView(address, view._id, view.search))}
          />
          <ViewItems
            label="Shared"
            views={views.filter(({ isOwn }) => !isOwn)}
            open={open}
            onOpen={(view) => go(fromView(address, view._id, view.search))}
          />
          {views.length > 0 && <Menu.Divider />}
          <Menu.Item onClick={() => setDialog('save')}>Save as a new view…</Menu.Item>
          {open?.mayEdit && (
            <>
              {isChanged && (
                <Menu.Item onClick={() => act.mutate(() => changeView(open, { search: now() }))}>Save changes to “{open.name}”</Menu.Item>
              )}
              <Menu.Item onClick={() => setDialog('rename')}>Rename…</Menu.Item>
              {(open.shared || data?.mayShare) && (
                <Menu.Item onClick={() => act.mutate(() => changeView(open, { shared: !open.shared }))}>
                  {open.shared ? 'Stop sharing it' : 'Share it with this vertical'}
                </Menu.Item>
              )}
            </>
          )}
          {open && (
            <>
              <Menu.Item onClick={() => turnDefault.mutate(open)}>
                {open.isDefault ? 'Open this page without it' : 'Open this page with it'}
              </Menu.Item>
              {isChanged && <Menu.Item onClick={() => go(fromView(address, open._id, open.search))}>Back to the view as saved</Menu.Item>}
              <Menu.Item onClick={() => go({})}>Leave the view</Menu.Item>
            </>
          )}
          {open?.mayEdit && (
            <>
              <Menu.Divider />
              <Menu.Item color="red" onClick={() => remove.mutate(open)}>
                Delete “{open.name}”
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {dialog && (
        <ViewDialog
          title={dialog === 'save' ? 'Save as a new view' : 'Rename the view'}
          name={dialog === 'rename' ? open!.name : ''}
          mayShare={dialog === 'save' && data?.mayShare === true}
          onClose={() => setDialog(undefined)}
          save={async (name, shared) => {
            const { msg, view } =
              dialog === 'save' ? await addView(place, page, { name, shared, search: now() }) : await changeView(open!, { name });
            await again();
            if (dialog === 'save') go(fromView(address, view._id, view.search));
            void toast('success', msg);
          }}
        />
      )}
    </>
  );
}

interface ViewItemsProps {
  label: string;
  views: readonly SavedView[];
  open: SavedView | undefined;
  onOpen: (view: SavedView) => void;
}

function ViewItems({ label, views, open, onOpen }: ViewItemsProps) {
  if (views.length === 0) return null;
  return (
    <>
      <Menu.Label>{label}</Menu.Label>
      {views.map((view) => (
        <Menu.Item
          key={view._id}
          onClick={() => onOpen(view)}
          {...(view === open && { 'aria-current': true, leftSection: <IconCheck size={15} aria-hidden /> })}
        >
          {view.name}
          <span className="muted small">{notesOf(view)}</span>
        </Menu.Item>
      ))}
    </>
  );
}

function notesOf({ isOwn, ownerName, shared, isDefault }: SavedView): string {
  const notes = [...(isOwn ? (shared ? ['shared'] : []) : [`of ${ownerName}`]), ...(isDefault ? ['opens this page'] : [])];
  return notes.length > 0 ? ` ${notes.join(', ')}` : '';
}

interface ViewDialogProps {
  title: string;
  name: string;
  mayShare: boolean;
  save: (name: string, shared: boolean) => Promise<void>;
  onClose: () => void;
}

function ViewDialog({ title, name: before, mayShare, save, onClose }: ViewDialogProps) {
  const [name, setName] = useState(before);
  const [shared, setShared] = useState(false);
  const saving = useMutation({ mutationFn: () => save(name.trim(), shared), onSuccess: onClose });
  const { error } = saving;
  const ofName = error instanceof ApiError ? error.fields.find(({ field }) => field === 'name')?.message : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== '') saving.mutate();
  };
  return (
    <Modal opened onClose={onClose} title={title}>
      <form onSubmit={submit} className="form-stack">
        <TextInput
          label="Name"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={ofName}
          maxLength={60}
          autoComplete="off"
          data-autofocus
        />
        {mayShare && (
          <Checkbox
            label="Share it with everybody who may open this page here"
            checked={shared}
            onChange={(event) => setShared(event.currentTarget.checked)}
          />
        )}
        <DialogEnd
          label={before ? 'Rename' : 'Save view'}
          isBarred={name.trim() === ''}
          isPending={saving.isPending}
          error={ofName ? null : error}
          onClose={onClose}
        />
      </form>
    </Modal>
  );
}

/** What an open view is narrowed to and is not in use any more. */
export function ViewNotes({ place, page, search }: { place: Place; page: ViewPage; search: Viewed }) {
  const { data } = useQuery(viewsQuery(place, page));
  const navigate = useNavigate();
  const open = data?.views.find(({ _id }) => _id === search.view);
  if (!open || open.notes.length === 0) return null;
  return (
    <p className="view-note warn small" role="status">
      {open.notes.join(' ')}{' '}
      <Button size="compact-xs" variant="default" onClick={() => void navigate({ to: '.', search: {} as never })}>
        Leave the view
      </Button>
    </p>
  );
}
