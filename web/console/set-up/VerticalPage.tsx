import { ActionIcon, Button, CloseButton, Menu, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type DragEvent, useState } from 'react';
import { SEARCH_DELAY_MS } from '#contract/console-constants.ts';
import { ChoiceSelect } from '#web/ui/ChoiceSelect.tsx';
import { CsvButton } from '#web/ui/FileTools.tsx';
import { FilterChip } from '#web/ui/FilterChip.tsx';
import { formatCount } from '#web/ui/format.ts';
import { IconArrowDown, IconArrowUp, IconDots, IconGripVertical, IconPlus, IconSearch } from '#web/ui/icons.ts';
import { useReporting } from '#web/ui/reporting.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast.ts';
import { fieldChoices } from '../api/choices.ts';
import { orderRecords, type RecordRow, recordQuery, recordsQuery } from '../api/record.ts';
import { downloadCsv } from '../download-csv.ts';
import { useSetup } from '../shell/use-place.ts';
import { FieldDialog } from './FieldDialog.tsx';
import { FormSection } from './FormSection.tsx';
import { FIELD_TYPES } from './field-types.ts';
import { usePlaceIds } from './place-ids.ts';
import { RecordForm } from './RecordForm.tsx';
import { useRecordActions } from './record-actions.ts';
import { SetUpPage } from './SetUpPage.tsx';
import { UniqueInput } from './UniqueInput.tsx';
import '../lead/leads.css';
import './record-list.css';
import './vertical-page.css';

/** The vertical at hand: its name, its primary field, and the fields of its leads in their order. */
export function VerticalPage() {
  const { verticalId } = usePlaceIds();
  const { permission } = useSetup();
  const vertical = useQuery(recordQuery('vertical', verticalId));
  const mayEdit = permission?.isOwner || permission?.isSuperAdmin;
  return (
    <SetUpPage title="Vertical configuration" action={vertical.data && mayEdit && <ArchiveVertical row={vertical.data} />}>
      {vertical.isError && <ErrorState error={vertical.error} onRetry={() => void vertical.refetch()} />}
      {vertical.data && mayEdit && <VerticalForm key={vertical.data.version} row={vertical.data} />}
      <Fields verticalId={verticalId} primaryField={String(vertical.data?.primaryField ?? '')} />
    </SetUpPage>
  );
}

/** It leaves the menus with its fields; its leads stay readable, and Undo or the list of verticals brings it back. */
function ArchiveVertical({ row }: { row: RecordRow }) {
  const navigate = useNavigate();
  const { archive, isPending } = useRecordActions({ model: 'vertical', one: 'vertical' }, row, String(row.name));
  return (
    <Button size="sm" variant="default" color="red" loading={isPending} onClick={() => archive(() => void navigate({ to: '/regions' }))}>
      Archive this vertical
    </Button>
  );
}

function VerticalForm({ row }: { row: RecordRow }) {
  const toValues = (one: RecordRow) => ({ name: String(one.name), primaryField: String(one.primaryField) });
  return (
    <RecordForm
      model="vertical"
      one="vertical"
      row={row}
      toValues={toValues}
      initial={{ name: '', primaryField: '' }}
      toData={(values) => values}
      onSaved={() => {}}
      onCancel={() => {}}
    >
      {(form) => (
        <FormSection title="Vertical">
          <div className="form-three">
            <UniqueInput
              {...form.getInputProps('name')}
              unique={{ model: 'vertical', field: 'name', within: { field: 'regionId', id: String(row.regionId) }, id: row._id }}
              label="Name"
              description="Stands in the header and in lists."
              maxLength={120}
            />
            <ChoiceSelect
              {...form.getInputProps('primaryField')}
              label="Primary field"
              description="What a lead is called by in lists."
              source={fieldChoices(row._id)}
              goneText={`${row.primaryField} (to be added)`}
              emptyText="No fields found."
            />
          </div>
        </FormSection>
      )}
    </RecordForm>
  );
}

interface FieldsProps {
  verticalId: string;
  primaryField: string;
}

/** The fields in their order; searched and narrowed on the server, and moved while all of them are shown. */
function Fields({ verticalId, primaryField }: FieldsProps) {
  const [open, setOpen] = useState<{ row?: RecordRow; like?: RecordRow } | null>(null);
  const [search, setSearch] = useState('');
  const [type, setType] = useState<string>();
  const [settled] = useDebouncedValue(search.trim(), SEARCH_DELAY_MS);
  const isNarrowed = settled !== '' || type !== undefined;
  const listing = { model: 'field', condition: { verticalId, ...(type && { type }) }, ...(settled && { search: settled }) };
  const fields = useQuery(recordsQuery({ ...listing, limit: 1000 }));
  const whole = useQuery(recordsQuery({ model: 'field', condition: { verticalId }, fields: ['fieldName'], limit: 1 }));
  const { zone } = useReporting();
  const rows = fields.data?.data ?? [];
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: ['records', 'field'] });
  const order = useMutation({
    mutationFn: ({ ids, seen }: { ids: string[]; seen: string[] }) => orderRecords('field', ids, seen),
    // Two quick moves go one after the other: the second begins where the first ended.
    scope: { id: `fields of ${verticalId}` },
    onError: (error) => void toast('error', error.message),
    onSettled: refresh,
  });
  const ids = (order.isPending ? order.variables.ids : undefined) ?? rows.map((row) => row._id);
  const shown = ids.flatMap((id) => rows.find((row) => row._id === id) ?? []);
  const total = whole.data?.total ?? 0;
  const showAll = () => {
    setSearch('');
    setType(undefined);
  };
  const move = (id: string, to: number) => {
    const rest = ids.filter((one) => one !== id);
    order.mutate({ ids: [...rest.slice(0, to), id, ...rest.slice(to)], seen: ids });
  };
  return (
    <section className="belongings" aria-label="Fields">
      <div className="set-up-head">
        <h2>Fields of a lead</h2>
        <Button size="xs" variant="default" leftSection={<IconPlus size={15} aria-hidden />} onClick={() => setOpen({})}>
          Add a field
        </Button>
      </div>
      <div className="card">
        {total > 0 && (
          <div className="leads-bar record-bar">
            <TextInput
              data-search
              size="sm"
              className="record-search"
              aria-label="Search by name or label"
              placeholder="Search by name or label"
              leftSection={<IconSearch size={16} aria-hidden />}
              rightSection={search !== '' && <CloseButton size="md" aria-label="Clear the search" onClick={() => setSearch('')} />}
              value={search}
              maxLength={200}
              autoComplete="off"
              onChange={(event) => setSearch(event.currentTarget.value)}
            />
            <FilterChip name="Type" options={FIELD_TYPES} value={type} emptyText="" onChange={setType} />
            <span className="muted small tabular" role="status">
              {isNarrowed
                ? `${formatCount(shown.length)} of ${formatCount(total)} fields`
                : `${formatCount(total)} ${total === 1 ? 'field' : 'fields'}`}
              {!isNarrowed && total > rows.length && rows.length > 0 && `, the first ${formatCount(rows.length)} of them here`}
            </span>
            <span className="push" />
            <CsvButton
              title="Every field found"
              onSave={() =>
                downloadCsv('records', {
                  listing: JSON.stringify(listing),
                  name: 'fields',
                  columns: '',
                  timeZone: zone,
                })
              }
            />
          </div>
        )}
        {fields.isPending && (
          <div className="card-body">
            <SkeletonLines count={6} />
          </div>
        )}
        {fields.isError && <ErrorState error={fields.error} onRetry={() => void fields.refetch()} />}
        {whole.data && fields.data && total === 0 && (
          <EmptyState title="No fields yet." action={<Button onClick={() => setOpen({})}>Add a field</Button>}>
            Fields say what publishers send: their names, types and limits. Begin with the primary field, {primaryField}.
          </EmptyState>
        )}
        {total > 0 && fields.data && isNarrowed && shown.length === 0 && (
          <EmptyState
            title="No fields match."
            action={
              <Button variant="default" size="xs" onClick={showAll}>
                Show all of them
              </Button>
            }
          />
        )}
        <ol className="field-list">
          {shown.map((row) => (
            <FieldLine
              key={row._id}
              row={row}
              at={ids.indexOf(row._id)}
              count={ids.length}
              isMoving={!isNarrowed && !fields.isPlaceholderData}
              isPrimary={row.fieldName === primaryField}
              onMove={move}
              onEdit={() => setOpen({ row })}
              onDuplicate={() => setOpen({ like: row })}
            />
          ))}
        </ol>
      </div>
      {open && (
        <FieldDialog
          key={open.row?._id ?? open.like?._id}
          verticalId={verticalId}
          row={open.row}
          like={open.like}
          suggestedName={total === 0 ? primaryField : ''}
          onClose={() => setOpen(null)}
        />
      )}
    </section>
  );
}

interface FieldLineProps {
  row: RecordRow;
  at: number;
  count: number;
  /** What is searched shows no order to move in. */
  isMoving: boolean;
  isPrimary: boolean;
  onMove: (id: string, to: number) => void;
  onEdit: () => void;
  onDuplicate: () => void;
}

const TYPE = 'application/x-sluice-field';

/** Dragged by its handle, or moved by its two buttons. */
function FieldLine({ row, at, count, isMoving, isPrimary, onMove, onEdit, onDuplicate }: FieldLineProps) {
  const [isOver, setIsOver] = useState(false);
  const name = String(row.fieldHumanName);
  const { remove } = useRecordActions({ model: 'field', one: 'field' }, row, name);
  const drop = (event: DragEvent) => {
    setIsOver(false);
    const id = event.dataTransfer.getData(TYPE);
    if (!id || id === row._id) return;
    event.preventDefault();
    onMove(id, at);
  };
  const facts = [
    String(row.type),
    row.required ? 'required' : 'optional',
    row.minChar !== null || row.maxChar !== null ? `${row.minChar ?? 0} to ${row.maxChar ?? '∞'} characters` : '',
    row.min !== null || row.max !== null ? `${row.min ?? '−∞'} to ${row.max ?? '∞'}` : '',
    String(row.privacyClass),
    row.inPing ? 'told at ping' : '',
  ].filter(Boolean);
  return (
    <li
      className="field-line"
      data-over={isOver || undefined}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes(TYPE)) return;
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <span
        className="field-grip"
        draggable={isMoving}
        aria-hidden="true"
        onDragStart={(event) => {
          event.dataTransfer.setData(TYPE, row._id);
          event.dataTransfer.effectAllowed = 'move';
        }}
      >
        <IconGripVertical size={17} />
      </span>
      <span className="field-name">
        <button type="button" className="bare link" onClick={onEdit}>
          {name}
        </button>
        <code className="mono muted">{String(row.fieldName)}</code>
        {isPrimary && <span className="pill info">Primary</span>}
      </span>
      <span className="muted small field-facts">{facts.join(', ')}</span>
      <span className="row field-tools">
        <ActionIcon
          variant="subtle"
          color="gray"
          size={28}
          aria-label={`Move ${name} up`}
          disabled={!isMoving || at === 0}
          onClick={() => onMove(row._id, at - 1)}
        >
          <IconArrowUp size={16} />
        </ActionIcon>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={28}
          aria-label={`Move ${name} down`}
          disabled={!isMoving || at === count - 1}
          onClick={() => onMove(row._id, at + 1)}
        >
          <IconArrowDown size={16} />
        </ActionIcon>
        <Menu position="bottom-end" width={160} withInitialFocusPlaceholder={false}>
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" size={28} aria-label={`Actions for ${name}`}>
              <IconDots size={17} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown aria-label={`Actions for ${name}`}>
            <Menu.Item onClick={onEdit}>Edit</Menu.Item>
            <Menu.Item onClick={onDuplicate}>Duplicate</Menu.Item>
            <Menu.Divider />
            <Menu.Item color="red" onClick={remove}>
              Remove
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </span>
    </li>
  );
}
