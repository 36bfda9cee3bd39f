/** For the API's documentation: the document, in which each `data` says what the model takes. */
import type { JsonSchema } from '#server/kit/named-schemas.ts';
import { recordModels } from '#server/record/record.models.ts';
import { describeData } from '#server/record/record-schema.ts';
import { besideData } from './beside-data.ts';

interface ListOf {
  items: { properties: Record<string, JsonSchema> };
}

export function describeConfiguration(document: JsonSchema): JsonSchema {
  const properties = { ...(document.properties as Record<string, JsonSchema>) };
  for (const [name, but] of Object.entries(besideData)) {
    const data = describeData(recordModels.get(name)!, but);
    if (name === 'field') properties.verticals = withItem(properties.verticals, { fields: { type: 'array', maxItems: 1000, items: data } });
    else properties[`${name}s`] = withItem(properties[`${name}s`], { data });
  }
  return { ...document, description: 'Everything that is set up, by names instead of ids; without secrets and keys.', properties };
}

function withItem(list: JsonSchema | undefined, changed: Record<string, JsonSchema>): JsonSchema {
  const { items } = list as unknown as ListOf;
  return { ...list, items: { ...items, properties: { ...items.properties, ...changed } } };
}
