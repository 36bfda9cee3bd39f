import { Checkbox, ColorInput, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import type { SocialMedia } from '#contract/card.ts';
import { CARD_DESIGNS, DESIGN_KEYS } from '#contract/card-design.ts';
import { SkeletonLines } from '#web/ui/states.tsx';
import type { RecordRow } from '../api/record.ts';
import { checkGiven } from '../set-up/check-given.ts';
import { EditPage } from '../set-up/EditPage.tsx';
import { FormSection } from '../set-up/FormSection.tsx';
import { fieldsQuery } from '../set-up/fields-query.ts';
import { usePlaceIds } from '../set-up/place-ids.ts';
import { RecordForm } from '../set-up/RecordForm.tsx';
import { statusOptionsOf } from '../set-up/status-options.ts';
import { CardAddress } from './CardAddress.tsx';
import { CardPicture, pictureOf } from './CardPicture.tsx';
import { CardPreview } from './CardPreview.tsx';
import { LanderFields } from './LanderFields.tsx';
import { LanderTier } from './LanderTier.tsx';
import { LanderTierDialog, type LanderTierDialogProps } from './LanderTierDialog.tsx';
import { SocialRows } from './SocialRows.tsx';
import './card.css';

// Its library is larger than the page: asked for where there is a lander.
const DescriptionEditor = lazy(() => import('./DescriptionEditor.tsx').then((module) => ({ default: module.DescriptionEditor })));

const TEXTS = [
  ...['name', 'status', 'title', 'company', 'email', 'phone', 'website', 'additional_information'],
  ...['designKey', 'design_color_hash', 'landerDescription', 'consentText'],
] as const;

export interface CardValues extends Record<(typeof TEXTS)[number], string> {
  socialMedia: SocialMedia;
  hasLander: boolean;
  publisherTierId: string;
  landerFields: string[];
}

const empty: CardValues = {
  ...(Object.fromEntries(TEXTS.map((name) => [name, ''])) as Record<(typeof TEXTS)[number], string>),
  status: 'active',
  designKey: 'professional',
  socialMedia: [],
  hasLander: false,
  publisherTierId: '',
  landerFields: [],
};
const toValues = (row: RecordRow): CardValues => ({
  ...(Object.fromEntries(TEXTS.map((name) => [name, String(row[name])])) as Record<(typeof TEXTS)[number], string>),
  socialMedia: row.socialMedia as SocialMedia,
  hasLander: row.hasLander === true,
  publisherTierId: String(row.publisherTierId ?? ''),
  landerFields: row.landerFields as string[],
});
const toData = ({ publisherTierId, ...values }: CardValues): Record<string, unknown> => ({
  ...values,
  publisherTierId: publisherTierId || null,
});

const DESIGN_OPTIONS = DESIGN_KEYS.map((value) => ({ value, label: value === 'custom' ? 'Custom' : CARD_DESIGNS[value].name }));

/** A public business card and its lander: drawn while they are written. */
export function CardPage() {
  const { id } = useParams({ strict: false });
  const { verticalId } = usePlaceIds();
  const fields = useQuery(fieldsQuery(verticalId));
  const [adding, setAdding] = useState<Omit<LanderTierDialogProps, 'onClose'> | null>(null);
  return (
    <EditPage model="card" label="Card" id={id} list={{ path: 'cards', label: 'Cards' }}>
      {({ row, like, toList }) => (
        <>
          {row && row.status !== 'archived' && <CardAddress row={row} />}
          {row && <CardPicture row={row} />}
          <RecordForm
            key={row?._id ?? like?._id}
            model="card"
            one="card"
            row={row}
            isCopy={like !== undefined}
            toValues={toValues}
            initial={like ? { ...toValues(like), name: `${like.name} copy` } : empty}
            toData={(values) => ({ ...toData(values), ...(!row && { verticalId }) })}
            validate={{
              name: checkGiven,
              design_color_hash: (text, { designKey }) => (designKey === 'custom' ? checkGiven(text) : null),
              publisherTierId: (text, { hasLander }) => (hasLander ? checkGiven(text) : null),
            }}
            onSaved={toList}
            onCancel={toList}
          >
            {(form) => (
              <div className="card-form">
                <div className="form-stack">
                  <FormSection title="Person">
                    <div className="form-three">
                      <TextInput {...form.getInputProps('name')} label="Name" maxLength={120} />
                      <TextInput {...form.getInputProps('title')} label="Title" maxLength={120} />
                      <TextInput {...form.getInputProps('company')} label="Company" maxLength={120} />
                      <TextInput {...form.getInputProps('email')} label="E-mail" maxLength={254} inputMode="email" />
                      <TextInput {...form.getInputProps('phone')} label="Phone" maxLength={30} inputMode="tel" />
                      <TextInput {...form.getInputProps('website')} label="Website" maxLength={500} inputMode="url" />
                    </div>
                    <Textarea
                      {...form.getInputProps('additional_information')}
                      label="Additional information"
                      autosize
                      minRows={2}
                      maxLength={2000}
                    />
                    <NativeSelect
                      {...form.getInputProps('status')}
                      label="Status"
                      description="While it is paused its address says that there is no card."
                      inputWrapperOrder={['label', 'input', 'description', 'error']}
                      data={statusOptionsOf(row)}
                    />
                  </FormSection>
                  <FormSection title="Elsewhere" says="Icons on the card that lead to other places.">
                    <SocialRows
                      rows={form.values.socialMedia}
                      errors={form.errors}
                      onChange={(rows) => form.setFieldValue('socialMedia', rows)}
                    />
                  </FormSection>
                  <FormSection title="Design">
                    <div className="form-three">
                      <NativeSelect {...form.getInputProps('designKey')} label="Design" data={DESIGN_OPTIONS} />
                      {form.values.designKey === 'custom' && (
                        <ColorInput
                          {...form.getInputProps('design_color_hash')}
                          label="Colour"
                          format="hex"
                          withEyeDropper={false}
                          placeholder="#0f3057"
                        />
                      )}
                    </div>
                  </FormSection>
                  <FormSection
                    title="Lander"
                    says="A page with a contact form. What is sent becomes a lead of the publisher tier, sold like any other."
                  >
                    <Checkbox {...form.getInputProps('hasLander', { type: 'checkbox' })} label="The card has a lander" />
                    {form.values.hasLander && (
                      <>
                        <LanderTier
                          {...form.getInputProps('publisherTierId')}
                          onAdd={() =>
                            setAdding({
                              cardName: form.values.name.trim(),
                              onAdded: (tierId) => form.setFieldValue('publisherTierId', tierId),
                            })
                          }
                        />
                        <Suspense fallback={<SkeletonLines count={6} />}>
                          <DescriptionEditor
                            {...form.getInputProps('landerDescription')}
                            isLocked={row?.status === 'archived' || row?.mayEdit === false}
                          />
                        </Suspense>
                        <LanderFields
                          all={fields.data?.data ?? []}
                          chosen={form.values.landerFields}
                          error={form.errors.landerFields}
                          onChange={(names) => form.setFieldValue('landerFields', names)}
                        />
                        <Textarea
                          {...form.getInputProps('consentText')}
                          label="Consent"
                          description="What the consumer must tick. The words are kept with every lead, with the time. Empty: nothing is asked."
                          inputWrapperOrder={['label', 'input', 'description', 'error']}
                          autosize
                          minRows={2}
                          maxLength={2000}
                        />
                      </>
                    )}
                  </FormSection>
                </div>
                <CardPreview values={form.values} avatar={row ? pictureOf(row) : ''} />
              </div>
            )}
          </RecordForm>
          {/* Beside the form, not in it: what is sent there is not sent here. */}
          {adding && <LanderTierDialog {...adding} onClose={() => setAdding(null)} />}
        </>
      )}
    </EditPage>
  );
}
