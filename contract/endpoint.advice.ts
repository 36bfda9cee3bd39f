/** What may be saved but deserves a second look: shown beside the form, never refused. */

import type { EndpointProblem } from './endpoint.check.ts';
import { noticeLeg } from './endpoint.notice.ts';
import { type PlaceholderSource, parseTemplate } from './endpoint.template.ts';
import type { EndpointConfig, LegConfig, MappingRow } from './endpoint.ts';

/** `fieldNames` are the vertical's; a field outside it is sent empty, a substring rule matches "unsuccessful", a redirect may carry personal values. */
export function endpointAdvice(endpoint: EndpointConfig, fieldNames: readonly string[]): EndpointProblem[] {
  const known = new Set(fieldNames);
  const lost = endpoint.lost && noticeLeg(endpoint.lost);
  const legs = [['ping', endpoint.ping] as const, ['post', endpoint.post] as const, ['lost', lost] as const];
  return legs.flatMap(([name, leg]) => (leg ? adviseLeg(leg, known).map(({ path, message }) => ({ path: [name, ...path], message })) : []));
}

function adviseLeg(leg: LegConfig, known: Set<string>): EndpointProblem[] {
  return [...adviseFields(leg, known), ...adviseOutcomes(leg), ...adviseRedirect(leg), ...adviseTransport(leg)];
}

function adviseFields(leg: LegConfig, known: Set<string>): EndpointProblem[] {
  return rowsOf(leg).flatMap(({ path, row }) =>
    fieldsOf(row.from.kind === 'template' ? sourcesOf(row.from.text) : [row.from])
      .filter((field) => !known.has(field))
      .map((field) => ({ path, message: `This vertical has no field "${field}"; it is sent empty.` })),
  );
}

function rowsOf(leg: LegConfig): { path: (string | number)[]; row: MappingRow }[] {
  const rows = leg.body.format === 'text' ? [] : leg.body.mapping;
  return rows.map((row, index) => ({ path: ['body', 'mapping', index, 'from'], row }));
}

function sourcesOf(template: string): PlaceholderSource[] {
  const parsed = parseTemplate(template);
  return parsed.ok ? parsed.parts.flatMap((part) => (typeof part === 'string' ? [] : [part.from])) : [];
}

function fieldsOf(sources: readonly { kind: string; field?: string }[]): string[] {
  return sources.flatMap((source) => (source.kind === 'field' && source.field !== undefined ? [source.field] : []));
}

function adviseOutcomes(leg: LegConfig): EndpointProblem[] {
  const advice = leg.response.outcomes.flatMap((rule, index) =>
    rule.outcome === 'accepted' && rule.when.some((test) => test.is === 'contains')
      ? [
          {
            path: ['response', 'outcomes', index],
            message: '"contains" also finds the word inside another: "unsuccessful" contains "success".',
          },
        ]
      : [],
  );
  const sells = leg.response.outcomes.some((rule) => rule.outcome === 'accepted') || leg.response.otherwise === 'accepted';
  return sells ? advice : [...advice, { path: ['response', 'outcomes'], message: 'No answer can ever mean accepted.' }];
}

function adviseRedirect(leg: LegConfig): EndpointProblem[] {
  const fields = fieldsOf(sourcesOf(leg.response.redirect?.template ?? ''));
  return fields.length === 0
    ? []
    : [
        {
          path: ['response', 'redirect', 'template'],
          message: `The consumer's ${fields.join(', ')} will stand in the address, and in every log on its way.`,
        },
      ];
}

function adviseTransport(leg: LegConfig): EndpointProblem[] {
  if (leg.body.format === 'mail') return [{ path: ['url'], message: 'A mail is kept by every server on its way, and the consumer in it.' }];
  return /^http:/i.test(leg.url) ? [{ path: ['url'], message: 'http:// sends the consumer unencrypted.' }] : [];
}
