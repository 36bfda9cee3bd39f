import { ActionIcon, NativeSelect, TextInput } from '@mantine/core';
import { IconX } from '#web/ui/icons.ts';
import { AmountInput } from '#web/ui/inputs/AmountInput.tsx';
import { DigitsInput } from '#web/ui/inputs/DigitsInput.tsx';
import type { VariantDraft } from './test-draft.ts';

interface VariantFieldsProps {
  at: number;
  variant: VariantDraft;
  trees: { value: string; label: string }[];
  /** The fault of the form, where it lies in this variant. */
  fault: { path: string; text: string } | undefined;
  onChange: (part: Partial<VariantDraft>) => void;
  onRemove: (() => void) | undefined;
  /** Puts its saved tree into flow control, to be changed there; absent where it has none. */
  onEditTree: (() => void) | undefined;
}

/** One variant: its share, and what it changes. The first is the control and changes nothing. */
export function VariantFields({ at, variant, trees, fault, onChange, onRemove, onEditTree }: VariantFieldsProps) {
  const input = (field: string) => {
    const path = `variants.${at}.${field}`;
    return { 'data-path': path, error: fault?.path === path ? fault.text : undefined };
  };
  const isControl = at === 0;
  return (
    <fieldset className="variant-fields">
      <legend>
        {isControl ? 'Control' : `Variant ${variant.name || at + 1}`}
        {onRemove && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size={26}
            aria-label={`Remove the variant ${variant.name || at + 1}`}
            onClick={onRemove}
          >
            <IconX size={16} />
          </ActionIcon>
        )}
      </legend>
      <div className="form-three">
        <TextInput
          {...input('name')}
          label="Name"
          maxLength={60}
          value={variant.name}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
        <DigitsInput
          {...input('share')}
          label="Share of the consumers"
          unit="%"
          value={variant.share}
          onChange={(share) => onChange({ share })}
        />
        {!isControl && (
          <NativeSelect
            {...input('tree')}
            label="Ping tree"
            data={trees}
            value={variant.tree}
            onChange={(event) => onChange({ tree: event.currentTarget.value })}
          />
        )}
      </div>
      {onEditTree && (
        <button type="button" className="bare link variant-edit" onClick={onEditTree}>
          Change this tree in flow control…
        </button>
      )}
      {isControl ? (
        <p className="muted small">Goes by the live campaign, whatever it is at the moment. All others are compared with it.</p>
      ) : (
        <div className="form-three">
          <NativeSelect
            label="Margin"
            data={[
              { value: 'live', label: 'As live' },
              { value: 'percent', label: 'Percent of the revenue' },
              { value: 'fixed', label: 'An amount per lead' },
            ]}
            value={variant.marginKind}
            onChange={(event) => onChange({ marginKind: event.currentTarget.value as VariantDraft['marginKind'] })}
          />
          {variant.marginKind !== 'live' && (
            <AmountInput
              {...input('margin')}
              label={variant.marginKind === 'percent' ? 'Percent' : 'Amount'}
              {...(variant.marginKind === 'percent' && { unit: '%' })}
              value={variant.margin}
              onChange={(margin) => onChange({ margin })}
            />
          )}
          <AmountInput
            {...input('floor')}
            label="Floor"
            placeholder="As live"
            value={variant.floor}
            onChange={(floor) => onChange({ floor })}
          />
          <AmountInput
            {...input('price')}
            label="Publishers’ prices"
            placeholder="As live"
            unit="%"
            value={variant.price}
            onChange={(price) => onChange({ price })}
          />
        </div>
      )}
    </fieldset>
  );
}
