/**
 * For the API's documentation: schemas that are told once, by name, and referred to wherever they stand. Written out each time, those that
 * nest would fill a book.
 */
import { z } from 'zod';
import { abTestAnswer } from '#contract/ab-test.ts';
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
import { errorView } from '#contract/error.ts';
import { exportContent, feedDestination, feedSchedule } from '#contract/export.ts';
import { attemptView, checkView, leadRow, leadView, stepView, verdictView, wireView } from '#contract/lead.ts';
import { paymentMeasures, paymentView } from '#contract/payment.ts';
import { buyerMeasures, portalAnswer, publisherMeasures } from '#contract/portal.ts';
import { postingAnswer } from '#contract/posting.ts';
import { preCheck } from '#contract/pre-check.ts';
import { promotionRaise, promotionTarget } from '#contract/promotion.ts';
import { replayFigures, replayResult, replayView } from '#contract/replay.ts';
import {
  attemptMeasures,
  attemptReportAnswer,
  leadMeasures,
  leadReportAnswer,
  matrixMeasures,
  reportKey,
  spanView,
} from '#contract/report.ts';
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
import { treeAnswer } from '#contract/tree.ts';

/** What is sent. */
const ASKED: Record<string, z.ZodType> = {
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

/** What is answered. */
const ANSWERED: Record<string, z.ZodType> = {
  Refusal: errorView,
  LeadAnswer: postingAnswer,
  LeadRow: leadRow,
  LeadStory: leadView,
  Attempt: attemptView,
  Check: checkView,
  Wire: wireView,
  Step: stepView,
  Verdict: verdictView,
  Span: spanView,
  ReportKey: reportKey,
  LeadMeasures: leadMeasures,
  LeadReport: leadReportAnswer,
  AttemptMeasures: attemptMeasures,
  AttemptReport: attemptReportAnswer,
  MatrixMeasures: matrixMeasures,
  PaymentMeasures: paymentMeasures,
  Payment: paymentView,
  BuyerMeasures: buyerMeasures,
  PublisherMeasures: publisherMeasures,
  Portal: portalAnswer,
  Replay: replayView,
  ReplayResult: replayResult,
  ReplayFigures: replayFigures,
  AbTest: abTestAnswer,
  CampaignTree: treeAnswer,
};

const names = new Map<unknown, string>([
  ...Object.entries({ ...ASKED, ...ANSWERED }).map(([name, schema]) => [schema, name] as const),
  [filter, 'Filter'],
  // Read once it is known who asks, and therefore anything before.
  [importBody.shape.document, 'ConfigurationDocument'],
]);

export type JsonSchema = Record<string, unknown>;

const addressOf = (name: string): string => `#/components/schemas/${name}`;

/** Name -> schema, each as it is sent or answered. */
export function describeNamed(): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries({ ...ASKED, ...ANSWERED })) registry.add(schema, { id });
  const describe = (named: Record<string, z.ZodType>, io: 'input' | 'output') => {
    const { schemas } = z.toJSONSchema(registry, { io, unrepresentable: 'any', uri: addressOf });
    return Object.keys(named).map((name) => {
      const { $schema: _version, $id, ...schema } = schemas[name]!;
      return [name, schema];
    });
  };
  return Object.fromEntries([...describe(ASKED, 'input'), ...describe(ANSWERED, 'output')]);
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
