/** What a change of a field would do to the rules that use it, asked before it is stored. */
import { compile } from '#engine/compile.ts';
import { compileBuyerTier } from '#engine/compile-tier.ts';
import { neverMatches } from '#engine/never.ts';
import type { Configuration } from '#engine/plan.ts';
import type { Problem } from '#engine/problem.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { readField, readOrganization } from '#server/plan/configuration.sql.ts';
import type { Row, Tx } from '#server/record/record-model.ts';

/** What rules are checked against; a label or a limit of the field is not. */
const JUDGED = ['type', 'pattern', 'options'] as const;

/** Throws 409 when tiers or campaigns that were sound with the field as it was would be left out with it as it is now. */
export async function requireSoundRules(tx: Tx, organizationId: string, before: Row, row: Row): Promise<void> {
  if (JUDGED.every((column) => JSON.stringify(before[column]) === JSON.stringify(row[column]))) return;
  const loaded = await readOrganization(tx, organizationId);
  if (!loaded) return;
  const tiers = await listTierIds(tx, organizationId, String(row.vertical_id));
  const problemsOf = (configuration: Configuration) => leftOut(configuration, String(row.vertical_id), tiers);
  const known = new Set(problemsOf(withField(loaded.configuration, before)).map(nameOf));
  const broken = problemsOf(loaded.configuration).filter((problem) => !known.has(nameOf(problem)));
  if (broken.length === 0) return;
  const uses = broken.map((problem) => `${sayWhat(loaded.configuration, problem)}: ${problem.text}.`);
  throw new HttpError(
    409,
    'field_in_use',
    `With this, rules that use the field would no longer work. Change those first: ${uses.slice(0, 5).join(' ')}`,
    {
      uses,
    },
  );
}

/** What takes no part in routing, which buyer tiers of the vertical could not, were they seated in a tree, and tiers whose filter no lead meets. */
function leftOut(configuration: Configuration, verticalId: string, tierIds: ReadonlySet<string>): Problem[] {
  const { plan, problems } = compile(configuration);
  const vertical = plan.verticals.get(verticalId);
  const tiers = configuration.buyerTiers.filter((tier) => vertical && tierIds.has(tier.id));
  const lists = new Map((configuration.suppressionLists ?? []).map((list) => [list.id, list]));
  const unsound = tiers.flatMap((tier) => {
    const compiled = compileBuyerTier(tier, vertical!, lists);
    const texts = Array.isArray(compiled) ? compiled.map(({ text }) => text) : tier.filter ? neverMatches(tier.filter, vertical!) : [];
    return texts.map((text): Problem => ({ kind: 'buyerTier', id: tier.id, severity: 'leftOut', text }));
  });
  const campaigns = new Set(configuration.campaigns.filter((one) => one.verticalId === verticalId).map(({ id }) => id));
  const seats = configuration.publisherTiers.filter((tier) => vertical && campaigns.has(tier.campaignId));
  const never = seats.flatMap((tier) =>
    plan.publisherTiers.has(tier.id) && tier.filter
      ? neverMatches(tier.filter, vertical!).map((text): Problem => ({ kind: 'publisherTier', id: tier.id, severity: 'leftOut', text }))
      : [],
  );
  const named = new Set(unsound.map((one) => one.id));
  return [
    ...unsound,
    ...never,
    ...problems.filter((one) => one.severity === 'leftOut' && !(one.kind === 'buyerTier' && named.has(one.id))),
  ];
}

async function listTierIds(tx: Tx, organizationId: string, verticalId: string): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('buyer_tier')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('vertical_id', '=', verticalId)
    .where('status', '<>', 'archived')
    .execute();
  return new Set(rows.map((one) => one.id));
}

const nameOf = ({ kind, id, text }: Problem): string => `${kind} ${id} ${text}`;

function withField(configuration: Configuration, field: Row): Configuration {
  const was = readField(field as never);
  const verticals = configuration.verticals.map((vertical) =>
    vertical.id === field.vertical_id
      ? { ...vertical, fields: vertical.fields.map((one) => (one.fieldName === was.fieldName ? was : one)) }
      : vertical,
  );
  return { ...configuration, verticals };
}

function sayWhat(configuration: Configuration, { kind, id }: Problem): string {
  if (kind === 'buyerTier') {
    const tier = configuration.buyerTiers.find((one) => one.id === id);
    return `Buyer tier ${tier?.buyerName}, ${tier?.name}`;
  }
  if (kind === 'publisherTier') return `Publisher tier ${configuration.publisherTiers.find((one) => one.id === id)?.name}`;
  return `${kind === 'campaign' ? 'Campaign' : 'A part of the set-up'} ${configuration.campaigns.find((one) => one.id === id)?.name ?? ''}`;
}
