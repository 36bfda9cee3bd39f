/** What a publisher must know to post to its tier, out of the plan in memory: nothing of buyers, prices or keys is in it. */
import { sampleValue } from '#contract/sample-lead.ts';
import { normaliseLead } from '#engine/field.ts';
import type { CampaignConfig, DuplicateRule, FieldConfig, VerticalConfig } from '#engine/plan.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';

export interface SpecifiedField {
  name: string;
  label: string;
  type: FieldConfig['type'];
  isRequired: boolean;
  isRequiredInPing: boolean;
  isInPing: boolean;
  /** What its value may be, in words, one fact each. */
  limits: string[];
  options: string[];
  /** A value that is taken as it is; '' where only the publisher can know one. */
  sample: string;
  config: FieldConfig;
}

export interface PostingSpec {
  organizationName: string;
  publisherName: string;
  publisherTierName: string;
  campaignName: string;
  verticalName: string;
  country: VerticalConfig['country'];
  /** Where calls go: `https://acme.example.com`. */
  origin: string;
  fields: SpecifiedField[];
  /** A lead with a value in every field, and the part of it that a ping takes. */
  sample: Record<string, string | number | boolean>;
  pingSample: Record<string, string | number | boolean>;
  testValues: CampaignConfig['testValues'];
  duplicate: DuplicateRule | undefined;
  timeLimitMs: number;
  /** How many buyers a lead may be sold to. */
  maxSales: number;
  pingsPerMinute: number | null;
  hasAddressList: boolean;
  isTerse: boolean;
  isAlways200: boolean;
  currency: string;
}

/** Undefined for a tier that cannot be posted to at all. */
export function describePosting(organization: OrganizationPlan, publisherTierId: string, origin: string): PostingSpec | undefined {
  const seat = organization.publisherSeats.get(publisherTierId);
  const campaign = seat && organization.plan.campaigns.get(seat.campaignId);
  if (!seat || !campaign) return undefined;
  const vertical = campaign.vertical.config;
  const fields = vertical.fields.map((field) => specify(field, vertical));
  const sampled = fields.filter(({ sample }) => sample !== '');
  return {
    organizationName: organization.name,
    publisherName: seat.publisherName,
    publisherTierName: seat.name,
    campaignName: campaign.config.name,
    verticalName: vertical.name,
    country: vertical.country,
    origin,
    fields,
    sample: Object.fromEntries(sampled.map((field) => [field.name, jsonValue(field)])),
    pingSample: Object.fromEntries(sampled.filter((field) => field.isInPing).map((field) => [field.name, jsonValue(field)])),
    testValues: campaign.config.testValues,
    duplicate: organization.plan.publisherTiers.get(publisherTierId)?.config.duplicate,
    timeLimitMs: campaign.config.timeLimitMs,
    maxSales: campaign.config.maxSales,
    pingsPerMinute: seat.pingsPerMinute,
    hasAddressList: seat.ipAllow.length > 0,
    isTerse: seat.terse,
    isAlways200: seat.always200,
    currency: organization.plan.currency,
  };
}

function specify(field: FieldConfig, vertical: VerticalConfig): SpecifiedField {
  const { fieldName, fieldHumanName, type, required, inPing, options = [] } = field;
  return {
    name: fieldName,
    label: fieldHumanName || fieldName,
    type,
    isRequired: required,
    isRequiredInPing: required && inPing,
    isInPing: inPing,
    limits: limitsOf(field, vertical.country),
    options,
    sample: sampleOf(field, vertical),
    config: field,
  };
}

/** Only what the vertical itself takes is shown as an example. */
function sampleOf(field: FieldConfig, vertical: VerticalConfig): string {
  const value = sampleValue(field, vertical.country);
  const only = { ...vertical, fields: [field] };
  return value !== '' && normaliseLead(only, { [field.fieldName]: value }).errors.length === 0 ? value : '';
}

function jsonValue({ type, sample }: SpecifiedField): string | number | boolean {
  if (type === 'number' || type === 'integer' || type === 'money') return Number(sample);
  return type === 'boolean' ? sample === 'true' : sample;
}

function limitsOf({ minChar, maxChar, min, max, pattern }: FieldConfig, country: VerticalConfig['country']): string[] {
  return [
    ...(minChar !== undefined && maxChar !== undefined ? [`${minChar} to ${maxChar} characters`] : []),
    ...(minChar !== undefined && maxChar === undefined ? [`at least ${minChar} characters`] : []),
    ...(minChar === undefined && maxChar !== undefined ? [`at most ${maxChar} characters`] : []),
    ...(min !== undefined && max !== undefined ? [`${number(min, country)} to ${number(max, country)}`] : []),
    ...(min !== undefined && max === undefined ? [`at least ${number(min, country)}`] : []),
    ...(min === undefined && max !== undefined ? [`at most ${number(max, country)}`] : []),
    ...(pattern ? [`matches ${pattern}`] : []),
  ];
}

const number = (value: number, country: VerticalConfig['country']): string => value.toLocaleString(country === 'us' ? 'en-US' : 'en-GB');

const TYPE_WORDS: Record<FieldConfig['type'], (country: VerticalConfig['country']) => string> = {
  string: () => 'text',
  email: () => 'e-mail address',
  phone: (country) => (country === 'us' ? 'US phone number' : 'UK phone number'),
  url: () => 'web address (http or https)',
  number: () => 'number',
  integer: () => 'whole number',
  date: (country) => `date, as YYYY-MM-DD or ${country === 'us' ? 'MM/DD/YYYY' : 'DD/MM/YYYY'}`,
  boolean: () => 'true or false',
  choice: () => 'one of the values named',
  state: () => 'US state, by its two letters or its name',
  zip: (country) => (country === 'us' ? 'ZIP code, 5 digits or ZIP+4' : 'UK postcode'),
  ip: () => 'IP address',
  money: () => 'amount, at most 4 decimals',
  routing: (country) => (country === 'us' ? 'ABA routing number, 9 digits' : 'sort code, 6 digits'),
  bin: () => 'first 6 to 8 digits of a card number',
};
export const typeWords = ({ type }: Pick<SpecifiedField, 'type'>, country: VerticalConfig['country']): string => TYPE_WORDS[type](country);

/** The tier's own rule about people who came before, in a sentence. */
export function sayDuplicate({ duplicate, fields }: Pick<PostingSpec, 'duplicate' | 'fields'>): string {
  if (!duplicate || duplicate.fields.length === 0) return 'No duplicate window is set for you beside that.';
  const names = duplicate.fields.map((name) => fields.find((field) => field.name === name)?.label ?? name);
  const which = names.length === 1 ? names[0]! : `${duplicate.match === 'all' ? 'all of' : 'any of'} ${names.join(', ')}`;
  const days = duplicate.windowDays === 1 ? 'the last day' : `the last ${duplicate.windowDays} days`;
  const counts = duplicate.counts === 'sold' ? 'a lead of yours that was sold' : 'a lead of yours';
  return `A lead is a duplicate when ${which} ${names.length === 1 || duplicate.match === 'any' ? 'is' : 'are'} equal to that of ${counts} within ${days}. Empty values are never compared.`;
}
