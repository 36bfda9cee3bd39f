import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '#web/ui/icons.ts';
import { type JsonObject, type PlaceKind, placeOf, setPlace } from './endpoint-draft.ts';

const KINDS: { value: PlaceKind; label: string }[] = [
  { value: 'path', label: 'value at' },
  { value: 'header', label: 'header' },
  { value: 'pattern', label: 'text found by (RE2)' },
  { value: 'body', label: 'whole body' },
  { value: 'status', label: 'HTTP code' },
];
const MOST = 20;

interface PlacesProps {
  /** 'price': what is looked for, in labels. */
  what: string;
  places: JsonObject[];
  /** An example of a path. */
  hint: string;
  onChange: (places: JsonObject[]) => void;
}

/** The places where a value of an answer may stand; the first that holds one wins. */
export function Places({ what, places, hint, onChange }: PlacesProps) {
  const adds = places.length === 0 ? 'Say where it stands' : 'Add another place';
  const labelOf = (at: number) => (at === 0 ? what : `${what}, place ${at + 1}`);
  return (
    <div className="answer-places">
      {places.map((place, at) => {
        const { kind, name } = placeOf(place);
        const set = (next: JsonObject) => onChange(places.map((one, index) => (index === at ? next : one)));
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a place has no name
          <div key={at} className="outcome-row">
            {at > 0 && <span className="muted small outcome-word">else</span>}
            <NativeSelect
              size="xs"
              aria-label={`Kind of place: ${labelOf(at)}`}
              data={KINDS}
              value={kind}
              onChange={(event) => set(setPlace(place, event.currentTarget.value as PlaceKind, name))}
            />
            {kind !== 'status' && kind !== 'body' && (
              <TextInput
                size="xs"
                aria-label={`Where it stands: ${labelOf(at)}`}
                placeholder={{ path: hint, header: `x-${what}`, pattern: `${what}=(\\S+)` }[kind]}
                spellCheck={false}
                maxLength={kind === 'pattern' ? 1000 : 300}
                value={name}
                onChange={(event) => set(setPlace(place, kind, event.currentTarget.value.trim()))}
              />
            )}
            <ActionIcon
              variant="subtle"
              color="gray"
              size={26}
              aria-label={`Remove the place: ${labelOf(at)}`}
              onClick={() => onChange(places.filter((_, index) => index !== at))}
            >
              <IconX size={15} />
            </ActionIcon>
          </div>
        );
      })}
      <Button
        size="compact-xs"
        variant="subtle"
        leftSection={<IconPlus size={14} aria-hidden />}
        aria-label={`${adds}: ${what}`}
        disabled={places.length >= MOST}
        onClick={() => onChange([...places, { path: '' }])}
      >
        {adds}
      </Button>
    </div>
  );
}
