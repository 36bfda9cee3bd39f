/**
 * Holds docs/operate/monitoring.md, grafana.json and alerts.yml to the metrics that there are. `DRAW_TABLE=1 vitest run --project unit test/walls/monitoring.test.ts`
 * draws the tables of monitoring.md anew.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { METRICS, type MetricEntry, STAGES } from '#server/metric/metric-list.ts';
import { openMetrics } from '#server/metric/open-metrics.ts';

const FOLDER = join(import.meta.dirname, '..', '..', 'docs', 'operate');
const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');

const entries = Object.entries(METRICS) as [string, MetricEntry][];
const metrics = openMetrics();
/** What prom-client tells of the process beside them. */
const ofProcess = metrics.names().filter(({ name }) => !(name in METRICS));
/** What Linux tells beside that; the table is the same wherever it is drawn. */
const OF_LINUX = [
  { name: 'sluice_process_virtual_memory_bytes', help: 'Virtual memory size in bytes.' },
  { name: 'sluice_process_heap_bytes', help: 'Process heap size in bytes.' },
  { name: 'sluice_process_open_fds', help: 'Number of open file descriptors.' },
  { name: 'sluice_process_max_fds', help: 'Maximum number of open file descriptors.' },
];
const all = new Map(metrics.names().map(({ name, kind }) => [name, kind]));
metrics.close();

/** Names of metrics that a text uses; of a histogram also its parts. */
function namesIn(text: string): string[] {
  return [...new Set(text.match(/\bsluice_[a-z0-9_]+/g) ?? [])];
}
const isKnown = (name: string): boolean => {
  if (all.has(name)) return true;
  const whole = name.replace(/_(bucket|sum|count)$/, '');
  return whole !== name && all.get(whole) === 'histogram';
};
const wholeOf = (name: string): string => (all.has(name) ? name : name.replace(/_(bucket|sum|count)$/, ''));

function drawTables(): string {
  const ours = STAGES.flatMap((stage) => [
    `### ${stage}`,
    '',
    '| metric | labels | what it means | what to do |',
    '|---|---|---|---|',
    ...entries
      .filter(([, entry]) => entry.stage === stage)
      .map(
        ([name, { labels, help, act }]) => `| \`${name}\` | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help} | ${act ?? ''} |`,
      ),
    '',
  ]);
  const told = new Map([...OF_LINUX, ...ofProcess].map(({ name, help }) => [name, help]));
  const theirs = [...told].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, help]) => `| \`${name}\` | ${help} |`);
  return [
    ...ours,
    '### The process',
    '',
    'As every program on Node.js tells them.',
    '',
    '| metric | what it means |',
    '|---|---|',
    ...theirs,
    '',
  ].join('\n');
}

const [BEGIN, END] = ['<!-- drawn: metrics -->\n', '<!-- end: metrics -->'];

interface Panel {
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  datasource?: { type: string; uid: string };
  targets?: { refId: string; expr: string; datasource: { uid: string } }[];
}
const dashboard = JSON.parse(read('grafana.json')) as {
  title: string;
  schemaVersion: number;
  panels: Panel[];
  templating: { list: { name: string }[] };
};

/** Alert rules as they stand in the file: a rule's own lines. */
const rules = read('alerts.yml')
  .split(/^ {6}- alert: /m)
  .slice(1)
  .map((text) => {
    const of = (key: string) => new RegExp(`^ +${key}: (.+)$`, 'm').exec(text)?.[1];
    return { name: text.split('\n')[0]!, expr: of('expr') ?? '', severity: of('severity'), summary: of('summary'), runbook: of('runbook') };
  });

const isBalanced = (expr: string): boolean => {
  const bare = expr.replace(/"[^"]*"/g, '');
  const pairs = { ')': '(', ']': '[', '}': '{' } as const;
  const open: string[] = [];
  for (const sign of bare) {
    if ('([{'.includes(sign)) open.push(sign);
    else if (sign in pairs && open.pop() !== pairs[sign as keyof typeof pairs]) return false;
  }
  return open.length === 0;
};

describe('every metric of the list', () => {
  it('is counted or read somewhere in the server', () => {
    const server = join(FOLDER, '..', '..', 'server');
    const text = readdirSync(server, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.endsWith('metric-list.ts'))
      .map((name) => readFileSync(join(server, name), 'utf8'))
      .join('\n');
    expect(entries.map(([name]) => name).filter((name) => !text.includes(`'${name}'`))).toEqual([]);
  });

  it('has labels that are words of ours: none is an id or a name', () => {
    const labels = new Set(entries.flatMap(([, entry]) => entry.labels));
    const known = [
      'area',
      'code',
      'format',
      'found',
      'kind',
      'leg',
      'log',
      'mode',
      'outcome',
      'pool',
      'result',
      'state',
      'status',
      'step',
      'version',
      'worker',
    ];
    expect([...labels].sort()).toEqual(known);
  });
});

describe('docs/operate/monitoring.md', () => {
  it('tells every metric that there is, as the program has it', () => {
    const text = read('monitoring.md');
    const [before = '', rest = ''] = text.split(BEGIN);
    const after = rest.split(END)[1] ?? '';
    const drawn = before + BEGIN + drawTables() + END + after;
    if (process.env.DRAW_TABLE) writeFileSync(join(FOLDER, 'monitoring.md'), drawn);
    else expect(text, 'docs/operate/monitoring.md is stale: draw it with DRAW_TABLE=1').toBe(drawn);
  });

  it('names none that there is not', () => {
    expect(namesIn(read('monitoring.md')).filter((name) => !isKnown(name))).toEqual([]);
  });
});

describe('docs/operate/grafana.json', () => {
  it('names no metric that there is not', () => {
    expect(namesIn(JSON.stringify(dashboard)).filter((name) => !isKnown(name))).toEqual([]);
  });

  it('shows every metric of ours', () => {
    const shown = new Set(namesIn(JSON.stringify(dashboard)).map(wholeOf));
    expect(entries.map(([name]) => name).filter((name) => !shown.has(name))).toEqual([]);
  });

  it('has a row for every stage, and panels that do not lie over each other', () => {
    expect(dashboard.schemaVersion).toBeGreaterThanOrEqual(39);
    const titles = dashboard.panels.filter(({ type }) => type === 'row').map(({ title }) => title);
    expect(titles).toEqual(['At a glance', ...STAGES]);
    const taken = new Set<string>();
    for (const { title, gridPos } of dashboard.panels)
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          expect([title, x < 24, taken.has(`${x} ${y}`)]).toEqual([title, true, false]);
          taken.add(`${x} ${y}`);
        }
  });

  it('asks the data source that is chosen, by expressions that are whole', () => {
    const targets = dashboard.panels.flatMap(({ targets = [] }) => targets);
    expect(targets.length).toBeGreaterThan(60);
    expect(targets.filter(({ expr }) => !isBalanced(expr))).toEqual([]);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as Grafana writes a variable
    expect(new Set(targets.map(({ datasource }) => datasource.uid))).toEqual(new Set(['${datasource}']));
    expect(dashboard.templating.list.map(({ name }) => name)).toEqual(['datasource', 'instance']);
  });
});

describe('docs/operate/alerts.yml', () => {
  it('names no metric that there is not', () => {
    expect(namesIn(read('alerts.yml')).filter((name) => !isKnown(name))).toEqual([]);
  });

  it('every rule is whole: an expression, how urgent it is, what happened and what to do', () => {
    expect(rules.length).toBeGreaterThan(25);
    expect(new Set(rules.map(({ name }) => name)).size).toBe(rules.length);
    for (const { name, expr, severity, summary, runbook } of rules) {
      expect([name, isBalanced(expr), namesIn(expr).length > 0 || expr.startsWith('up{')]).toEqual([name, true, true]);
      expect(['page', 'ticket']).toContain(severity);
      expect([name, summary !== undefined && summary.length > 20, runbook !== undefined && runbook.length > 40]).toEqual([
        name,
        true,
        true,
      ]);
    }
  });

  it('labels that rules pick by are labels of their metric', () => {
    const picked = rules.flatMap(({ expr }) =>
      [...expr.matchAll(/(sluice_\w+)\{([^}]*)\}/g)].map(([, name, inner]) => ({ name: wholeOf(name!), inner: inner! })),
    );
    expect(picked.length).toBeGreaterThan(5);
    for (const { name, inner } of picked)
      for (const [, label] of inner.matchAll(/(\w+)(?:=~|!~|!=|=)/g))
        expect([name, (METRICS as Record<string, MetricEntry>)[name]?.labels]).toEqual([name, expect.arrayContaining([label])]);
  });
});
