/**
 * For the API's documentation: schemas that are told once, by name, and referred to wherever they stand. Written out each time, those that
 * nest would fill a book.
 */
import { z } from 'zod';
import { configurationDocument, importBody } from '#contract/configuration-document.ts';
import {
  condition,
  endpointConfig,
  formatter,
  legAuth,
  legBody,
  legConfig,
  locator,
  mappingRow,
  responseRules,
  tokenCall,
  valueSource,
} from '#contract/endpoint.ts';
import { exportContent, feedDestination, feedSchedule } from '#contract/export.ts';
import { preCheck } from '#contract/pre-check.ts';
import { promotionRaise, promotionTarget } from '#contract/promotion.ts';
import { outsideCheck, serviceEndpoint } from '#contract/service.ts';
import {
  breaker,
  caps,
  duplicateRule,
  filter,
  filterNode,
  hours,
  margin,
  pauseDates,
  priceModel,
  testValues,
  throttle,
  tierPrice,
} from '#contract/tier.ts';

const NAMED: Record<string, z.ZodType> = {
  Caps: caps,
  Hours: hours,
  PauseDates: pauseDates,
  Filter: filterNode,
  DuplicateRule: duplicateRule,
  PriceModel: priceModel,
  TierPrice: tierPrice,
  Margin: margin,
  Breaker: breaker,
  Throttle: throttle,
  TestValues: testValues,
  OutsideCheck: outsideCheck,
  PromotionTarget: promotionTarget,
  PromotionRaise: promotionRaise,
  Endpoint: endpointConfig,
  ServiceEndpoint: serviceEndpoint,
  PreCheck: preCheck,
  ExportContent: exportContent,
  FeedSchedule: feedSchedule,
  FeedDestination: feedDestination,
  EndpointCall: legConfig,
  EndpointAuth: legAuth,
  EndpointTokenCall: tokenCall,
  EndpointBody: legBody,
  EndpointMappingRow: mappingRow,
  EndpointValue: valueSource,
  EndpointFormatter: formatter,
  EndpointResponse: responseRules,
  EndpointCondition: condition,
  EndpointLocator: locator,
  ConfigurationDocument: configurationDocument,
};

const names = new Map<unknown, string>([
  ...Object.entries(NAMED).map(([name, schema]) => [schema, name] as const),
  [filter, 'Filter'],
  // Read once it is known who asks, and therefore anything before.
  [importBody.shape.document, 'ConfigurationDocument'],
]);

export type JsonSchema = Record<string, unknown>;

const addressOf = (name: string): string => `#/components/schemas/${name}`;

/** Name -> schema, each as it is sent. */
export function describeNamed(): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(NAMED)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { io: 'input', unrepresentable: 'any', uri: addressOf });
  return Object.fromEntries(Object.entries(schemas).map(([name, { $schema: _version, $id, ...schema }]) => [name, schema]));
}

/** Where a schema is told, if it is one of those that have a name. */
export function referTo(schema: unknown): JsonSchema | undefined {
  const name = names.get(schema);
  return name === undefined ? undefined : { $ref: addressOf(name) };
}

/** For z.toJSONSchema: a schema with a name is referred to. */
export function referToNamed({ zodSchema, jsonSchema }: { zodSchema: unknown; jsonSchema: object }): void {
  const reference = referTo(zodSchema);
  if (!reference) return;
  for (const key of Object.keys(jsonSchema)) delete (jsonSchema as JsonSchema)[key];
  Object.assign(jsonSchema, reference);
}
