/** What a lander shows: the chosen fields of its vertical, as a form takes them. */
import type { LanderData } from '#contract/card.ts';
import { isHiddenField, type LanderField, type LanderInput } from '#contract/lander-check.ts';
import type { FieldConfig, FieldType } from '#engine/plan.ts';
import { UK_NATIONS, US_STATES } from '#engine/state.ts';
import { shortHash } from '#server/kit/crypto.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import type { PublicCard } from './card.sql.ts';
import { sanitise } from './sanitise.ts';

const INPUT_OF: Partial<Record<FieldType, LanderInput>> = {
  ...{ email: 'email', phone: 'phone', url: 'url', number: 'number', integer: 'integer' },
  ...{ money: 'number', bin: 'integer', routing: 'integer' },
  ...{ date: 'date', boolean: 'boolean', choice: 'choice', state: 'state' },
};

/** Undefined where the vertical is not there any more. */
export function viewLander(organization: OrganizationPlan, card: PublicCard): LanderData | undefined {
  const vertical = organization.plan.verticals.get(card.verticalId)?.config;
  if (!vertical || !card.hasLander) return undefined;
  const byName = new Map(vertical.fields.map((field) => [field.fieldName, field]));
  // What every lead needs is asked for, also where that was decided after the card was written.
  const needed = vertical.fields.flatMap(({ required, fieldName }) => (required ? fieldName : []));
  const names = new Set([...card.landerFields, ...needed].filter((name) => !isHiddenField(name)));
  // Nobody knows their own address: the call tells it (submit-lander.ts).
  const fields = [...names].flatMap((name) => byName.get(name) ?? []).filter(({ type }) => type !== 'ip');
  return {
    rolodexId: card.id,
    // Once more: the rules may have become stricter since it was stored.
    serviceProviderInfo: { description: sanitise(card.landerDescription) },
    verticalInfo: { fields: fields.map((field) => viewField(field, vertical.country)) },
    consentText: card.consentText,
    consentVersion: consentVersionOf(card),
    isOpen: isOpen(organization, card),
  };
}

/** Equal for equal words. */
export const consentVersionOf = ({ consentText }: Pick<PublicCard, 'consentText'>): string =>
  consentText === '' ? '' : shortHash(consentText);

function viewField(field: FieldConfig, country: 'us' | 'uk'): LanderField {
  const type = INPUT_OF[field.type] ?? 'string';
  return {
    fieldName: field.fieldName,
    fieldHumanName: field.fieldHumanName || field.fieldName,
    type,
    required: field.required,
    minChar: field.minChar ?? null,
    maxChar: field.maxChar ?? null,
    options: optionsOf(type, field, country),
  };
}

function optionsOf(type: LanderInput, { options = [] }: FieldConfig, country: 'us' | 'uk'): LanderField['options'] {
  if (type === 'choice') return options.map((one) => ({ value: one, label: one }));
  if (type === 'boolean')
    return [
      { value: 'true', label: 'Yes' },
      { value: 'false', label: 'No' },
    ];
  if (type !== 'state') return [];
  return Object.entries(country === 'us' ? US_STATES : UK_NATIONS).map(([value, label]) => ({ value, label }));
}

/** Whether what is sent becomes a lead now. */
export const isOpen = (organization: OrganizationPlan, card: Seated): boolean => whyClosed(organization, card) === undefined;

type Seated = Pick<PublicCard, 'publisherTierId' | 'verticalId'>;

/** What keeps the lander of a card from taking leads, to stand in a sentence; undefined where nothing does. */
export function whyClosed(organization: OrganizationPlan, { publisherTierId, verticalId }: Seated): string | undefined {
  if (publisherTierId === null) return 'it has no publisher tier';
  const seat = organization.publisherSeats.get(publisherTierId);
  const tier = organization.plan.publisherTiers.get(publisherTierId);
  if (!tier || !seat) return seat ? `its publisher tier ${seat.name} is left out of routing` : 'its publisher tier is not there any more';
  const { campaign, config } = tier;
  // A tier may have gone to a campaign of another vertical, whose leads have other fields.
  if (campaign.config.verticalId !== verticalId) return `its publisher tier ${seat.name} belongs to a campaign of another vertical`;
  if (config.status !== 'active') return `its publisher tier ${seat.name} is ${config.status}`;
  if (config.publisherStatus !== 'active') return `its publisher ${seat.publisherName} is ${config.publisherStatus}`;
  return campaign.config.status === 'active' ? undefined : `its campaign ${campaign.config.name} is ${campaign.config.status}`;
}
