import { ActionIcon, Button, NativeSelect, Switch, TextInput } from '@mantine/core';
import { IconX } from '#web/ui/icons.ts';
import { type Json, type JsonObject, type MappingLine, objectAt } from './endpoint-draft.ts';
import { beginFormatter, type FormatterParameter, formatterOffers, offerOf, setParameter, tidyRow } from './formatters.ts';
import { PairRows } from './PairRows.tsx';
import { RowTools } from './RowTools.tsx';

const MOST_FORMATS = 10;

interface RowFormatProps {
  row: MappingLine;
  /** Whether the row's format knows types: JSON does. */
  typed: boolean;
  onChange: (row: MappingLine) => void;
}

/** What happens to one row's value before it is sent: changes in order, our words for the buyer's, and the type in JSON. */
export function RowFormat({ row, typed, onChange }: RowFormatProps) {
  const formats = (Array.isArray(row.format) ? row.format : []).map(objectAt);
  const setFormats = (format: JsonObject[]) => onChange(tidyRow({ ...row, format }));
  const replace = (at: number, next: JsonObject) => setFormats(formats.map((one, index) => (index === at ? next : one)));
  const map = objectAt(row.map);
  const setMap = (next: JsonObject | undefined) => onChange(tidyRow({ ...row, map: next as Json }));
  return (
    <div className="row-format">
      <section aria-label={`Changes of ${row.to}`} className="form-stack">
        {formats.length > 0 && (
          <ol className="mapping">
            {formats.map((formatter, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a change has no name of its own
              <li key={at} className="format-row">
                <span className="format-name">{offerOf(formatter.kind)?.label ?? String(formatter.kind)}</span>
                <Parameters formatter={formatter} onChange={(next) => replace(at, next)} />
                <span className="row mapping-tools">
                  <RowTools rows={formats} at={at} label={`change ${at + 1}`} onChange={setFormats} />
                </span>
              </li>
            ))}
          </ol>
        )}
        <div className="form-three">
          <NativeSelect
            size="xs"
            label="Change the value"
            data={[{ value: '', label: 'Add a change…' }, ...formatterOffers.map(({ kind, label }) => ({ value: kind, label }))]}
            value=""
            disabled={formats.length >= MOST_FORMATS}
            onChange={(event) => event.currentTarget.value && setFormats([...formats, beginFormatter(event.currentTarget.value)])}
          />
          {typed && (
            <NativeSelect
              size="xs"
              label="Type in JSON"
              data={[
                { value: 'string', label: 'Text' },
                { value: 'number', label: 'Number' },
                { value: 'boolean', label: 'True or false' },
              ]}
              value={String(row.type ?? 'string')}
              onChange={(event) => onChange(tidyRow({ ...row, type: event.currentTarget.value }))}
            />
          )}
        </div>
      </section>
      <section aria-label={`Value map of ${row.to}`} className="form-stack">
        <Switch
          size="xs"
          label="Leave it out when it is empty"
          checked={row.omitWhenEmpty === true}
          onChange={(event) => onChange(tidyRow({ ...row, omitWhenEmpty: event.currentTarget.checked }))}
        />
        <Switch
          size="xs"
          label="Our values become the buyer’s"
          checked={row.map !== undefined}
          onChange={(event) => setMap(event.currentTarget.checked ? { values: {} } : undefined)}
        />
        {row.map !== undefined && (
          <>
            <PairRows
              word="value"
              value={objectAt(map.values) as Record<string, string>}
              onChange={(values) => setMap({ ...map, values })}
              left={{ label: 'Our value', maxLength: 200 }}
              right={{ label: 'Buyer’s value', maxLength: 500 }}
              most={500}
            />
            <TextInput
              size="xs"
              label="Any other value"
              description="Empty: sent as it is, with a warning on the lead."
              maxLength={500}
              value={String(map.otherwise ?? '')}
              onChange={(event) => {
                const { otherwise: _, ...rest } = map;
                setMap(event.currentTarget.value === '' ? rest : { ...rest, otherwise: event.currentTarget.value });
              }}
            />
          </>
        )}
      </section>
    </div>
  );
}

function Parameters({ formatter, onChange }: { formatter: JsonObject; onChange: (formatter: JsonObject) => void }) {
  if (formatter.kind === 'range') return <Bands formatter={formatter} onChange={onChange} />;
  return (
    <span className="format-parameters">
      {(offerOf(formatter.kind)?.parameters ?? []).map((parameter) => (
        <Parameter
          key={parameter.name}
          parameter={parameter}
          value={String(formatter[parameter.name] ?? '')}
          onChange={(typed, left) => onChange(setParameter(formatter, parameter, typed, left))}
        />
      ))}
    </span>
  );
}

function Parameter({
  parameter: { label, kind, placeholder },
  value,
  onChange,
}: {
  parameter: FormatterParameter;
  value: string;
  onChange: (typed: string, left?: boolean) => void;
}) {
  if (typeof kind === 'object')
    return (
      <NativeSelect
        size="xs"
        aria-label={label}
        data={[...kind.choices]}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  return (
    <TextInput
      size="xs"
      aria-label={label}
      title={label}
      placeholder={placeholder ?? label}
      inputMode={kind === 'number' ? 'numeric' : undefined}
      spellCheck={false}
      maxLength={500}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onBlur={kind === 'number' ? (event) => onChange(event.currentTarget.value, true) : undefined}
    />
  );
}

const BAND_ENDS = [
  { name: 'from', label: 'From', kind: 'number', optional: true },
  { name: 'to', label: 'Up to', kind: 'number', optional: true },
] as const satisfies FormatterParameter[];

/** Both ends are included; an empty end is open. The first band that holds the number gives its label. */
function Bands({ formatter, onChange }: { formatter: JsonObject; onChange: (formatter: JsonObject) => void }) {
  const bands = (Array.isArray(formatter.bands) ? formatter.bands : []).map(objectAt);
  const set = (next: JsonObject[]) => onChange({ ...formatter, bands: next });
  const replace = (at: number, band: JsonObject) => set(bands.map((one, index) => (index === at ? band : one)));
  return (
    <span className="format-bands">
      {bands.map((band, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a band has no name of its own
        <span key={at} className="band-row">
          {BAND_ENDS.map((end) => (
            <TextInput
              key={end.name}
              size="xs"
              aria-label={`${end.label} in band ${at + 1}`}
              placeholder={end.label}
              inputMode="decimal"
              value={String(band[end.name] ?? '')}
              onChange={(event) => replace(at, setParameter(band, end, event.currentTarget.value))}
              onBlur={(event) => replace(at, setParameter(band, end, event.currentTarget.value, true))}
            />
          ))}
          <TextInput
            size="xs"
            aria-label={`Label of band ${at + 1}`}
            placeholder="Label"
            maxLength={500}
            value={String(band.label ?? '')}
            onChange={(event) => replace(at, { ...band, label: event.currentTarget.value })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size={26}
            aria-label={`Remove band ${at + 1}`}
            disabled={bands.length === 1}
            onClick={() => set(bands.filter((_, index) => index !== at))}
          >
            <IconX size={15} />
          </ActionIcon>
        </span>
      ))}
      <Button size="compact-xs" variant="subtle" disabled={bands.length >= 200} onClick={() => set([...bands, { label: '' }])}>
        Add a band
      </Button>
    </span>
  );
}
