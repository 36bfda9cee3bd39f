import { NativeSelect } from '@mantine/core';
import type { useForm } from '@mantine/form';
import type { PriceModelView } from '#contract/tier.ts';
import { AmountInput } from '#web/ui/inputs/AmountInput.tsx';
import type { RecordRow } from '../api/record.ts';

export interface PriceValues {
  priceKind: PriceModelView['kind'];
  priceValue: string;
}
export const NEW_PRICE: PriceValues = { priceKind: 'share', priceValue: '70' };

export function toPriceValues(row: RecordRow): PriceValues {
  const price = row.priceModel as PriceModelView;
  return { priceKind: price.kind, priceValue: price.kind === 'share' ? String(price.sharePercent) : price.price };
}

export const toPriceModel = ({ priceKind, priceValue }: PriceValues): Record<string, unknown> =>
  priceKind === 'share' ? { kind: priceKind, sharePercent: Number(priceValue) } : { kind: priceKind, price: priceValue };

interface PriceModelInputsProps {
  values: PriceValues;
  inputProps: ReturnType<typeof useForm<PriceValues>>['getInputProps'];
}

/** How a publisher tier is paid. */
export function PriceModelInputs({ values, inputProps }: PriceModelInputsProps) {
  const isShare = values.priceKind === 'share';
  return (
    <>
      <NativeSelect
        {...inputProps('priceKind')}
        label="Model"
        data={[
          { value: 'share', label: 'A share of the revenue' },
          { value: 'fixed', label: 'A fixed price' },
          { value: 'minimum', label: 'All but our margin, at least' },
        ]}
      />
      <AmountInput {...inputProps('priceValue')} label={isShare ? 'Percent' : 'Amount'} {...(isShare && { unit: '%' })} />
    </>
  );
}
