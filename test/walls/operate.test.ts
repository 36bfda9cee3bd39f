/** docs/operate, the image and what runs it, held to the product: what they name is there, and says the same. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig, SETTINGS } from '#server/kit/config.ts';
import { POSTGRES_MAJOR } from '#server/kit/embedded-postgres.ts';
import { DRAIN_MS } from '#server/kit/leaving.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const manifest = JSON.parse(read('package.json')) as {
  version: string;
  dependencies: Record<string, string>;
  scripts: Record<string, string>;
};
const OPERATE = 'docs/operate';
const production = readConfig({
  APP_ENV: 'production',
  SECRET_KEY: 'only to read the defaults of production',
  ROOT_DOMAIN: 'sluice.example',
});
/** A node that is told to stop takes no longer. */
const leavesWithinS = (leaveS = production.leaveMs / 1000): number => leaveS + DRAIN_MS / 1000;

// biome-ignore lint/suspicious/noExplicitAny: documents of others' shapes
type Document = any;
const compose: Document = parse(read(`${OPERATE}/compose.yml`), { merge: true });
const nodes = Object.entries(compose.services as Record<string, Document>).filter(([name]) => name.startsWith('node-'));
const dockerfile = read('Dockerfile');
const steps = [...read('bin/image.sh').matchAll(/^ {2}(\w+)\)/gm)].map(([, name]) => name);

describe('the image', () => {
  it('has the Node that package.json pins, in every stage', () => {
    const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
    expect(bases.length).toBeGreaterThan(0);
    for (const base of bases) expect(base).toBe(`node:${manifest.dependencies.node}-bookworm-slim`);
  });

  it('is made by steps that tests run natively, and nothing else but its folder', () => {
    const runs = [...dockerfile.matchAll(/^RUN (.+)$/gm)].map(([, run]) => run!);
    expect(runs.filter((run) => !run.startsWith('bin/image.sh '))).toEqual(['mkdir -p /var/lib/sluice && chown node:node /var/lib/sluice']);
    const used = [...dockerfile.matchAll(/bin\/image\.sh(?: |", ")(\w+)(?=["\n])/g)].map(([, step]) => step!);
    expect(new Set(used)).toEqual(new Set(steps));
  });

  it('runs as nobody special, as production, at the port and in the folder that it says', () => {
    expect(dockerfile).toMatch(/^USER node$/m);
    const env = Object.fromEntries(
      [...dockerfile.match(/^ENV (.+)$/m)![1]!.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name!, value!]),
    );
    const { NODE_ENV: _, ...settings } = env;
    expect(Object.keys(settings).filter((name) => !SETTINGS.includes(name))).toEqual([]);
    expect(settings).toMatchObject({ APP_ENV: 'production', HOST: '0.0.0.0' });
    expect(dockerfile).toMatch(new RegExp(`^EXPOSE ${settings.PORT}$`, 'm'));
    expect(dockerfile).toMatch(new RegExp(`^VOLUME ${settings.DATA_DIR}$`, 'm'));
    expect(existsSync(join(ROOT, dockerfile.match(/^CMD \["node", "(.+)"\]$/m)![1]!))).toBe(true);
  });

  it('takes along no data, no secret and nothing that was built elsewhere', () => {
    const left = read('.dockerignore').split('\n');
    for (const name of ['.git', '.data', 'node_modules', 'dist']) expect(left).toContain(name);
  });
});

describe('compose.yml', () => {
  it('gives nodes settings that there are, and all that production needs', () => {
    expect(nodes.length).toBeGreaterThan(1);
    for (const [, { environment, image }] of nodes) {
      expect(Object.keys(environment).filter((name) => !SETTINGS.includes(name))).toEqual([]);
      for (const name of ['SECRET_KEY', 'DATABASE_URL', 'ROOT_DOMAIN', 'SMTP_URL']) expect(environment).toHaveProperty(name);
      expect(() => readConfig({ ...environment, ...filled(environment) })).not.toThrow();
      expect(image).toBe(`sluice:${manifest.version}`);
    }
  });

  it('waits for a node that ends, and keeps a register of erasures for each', () => {
    const folders = nodes.map(([, { volumes, stop_grace_period }]) => {
      expect(Number.parseInt(stop_grace_period, 10)).toBeGreaterThan(leavesWithinS());
      return (volumes as string[]).find((volume) => volume.endsWith(':/var/lib/sluice'))?.split(':')[0];
    });
    expect(new Set(folders).size).toBe(nodes.length);
    for (const folder of folders) expect(compose.volumes).toHaveProperty(folder!);
  });

  it('has the PostgreSQL that tests have, with room for all nodes and their successors, and no less in its copy', () => {
    for (const name of ['database', 'database-copy']) {
      const { image, command } = compose.services[name];
      expect(image).toMatch(new RegExp(`^postgres:${POSTGRES_MAJOR}\\.`));
      expect(Number(command.match(/max_connections=(\d+)/)[1])).toBeGreaterThanOrEqual(
        nodes.length * 2 * (3 * production.databasePool + 8),
      );
    }
  });

  it('names files that are there, and images in one version', () => {
    for (const { volumes = [], image } of Object.values(compose.services) as Document[]) {
      expect(image).toMatch(/:\d+\.\d+/);
      for (const volume of volumes as string[])
        if (volume.startsWith('./') && !volume.startsWith('./certificates'))
          expect(existsSync(join(ROOT, OPERATE, volume.split(':')[0]!))).toBe(true);
    }
  });

  it('opens the proxy alone, whose address is the one that is believed', () => {
    const open = Object.entries(compose.services as Record<string, Document>).filter(([, { ports }]) => ports);
    expect(open.map(([name]) => name)).toEqual(['proxy']);
    for (const [, { environment }] of nodes) expect(environment.TRUSTED_PROXIES).toBe(compose.services.proxy.networks.inside.ipv4_address);
  });
});

describe('the Caddyfile', () => {
  const caddyfile = read(`${OPERATE}/Caddyfile`);

  it('spreads over all nodes of compose.yml, at the port of the image', () => {
    const [, upstreams] = caddyfile.match(/reverse_proxy ([^{]+) \{/)!;
    const [, port] = dockerfile.match(/^EXPOSE (\d+)$/m)!;
    expect(upstreams!.split(' ')).toEqual(nodes.map(([name]) => `${name}:${port}`));
  });

  it('ASVS 5.0 12.1.1: takes TLS 1.2 and 1.3 alone', () => {
    expect(caddyfile.match(/protocols (.*)/)![1]).toBe('tls1.2 tls1.3');
  });

  it('ASVS 5.0 4.1.2: leads pages on to TLS and refuses calls that came without', () => {
    const [, plain] = caddyfile.split('http://{$ROOT_DOMAIN}, http://*.{$ROOT_DOMAIN} {');
    expect(plain).toMatch(/handle \/api\/\* \{\s+respond "[^"]+" 403\s+\}/);
    expect(plain).toMatch(/handle \{\s+redir https:\/\/\{host\}\{uri\} 308/);
    expect(plain).not.toContain('reverse_proxy');
  });

  it('asks for readiness often enough to turn away while a node still answers', () => {
    expect(caddyfile).toContain('health_uri /readyz');
    const seconds = (name: string) => Number(caddyfile.match(new RegExp(`${name} (\\d+)s`))![1]);
    expect(seconds('health_interval') + seconds('health_timeout')).toBeLessThan(production.leaveMs / 1000);
    expect(caddyfile).toMatch(/respond @inside 404/);
  });
});

describe('the systemd unit', () => {
  const unit = read(`${OPERATE}/sluice@.service`);
  const values = (name: string): string[] => [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value!);

  it('gives a node settings that there are, and says which the file of the operator brings', () => {
    const set = values('Environment').map((line) => line.split('=')[0]!);
    const told = [...unit.matchAll(/[A-Z]+_[A-Z_]+/g)].map(([name]) => name).filter((name) => !/^(AF|CAP)_/.test(name));
    expect([...set, ...told].filter((name) => !SETTINGS.includes(name))).toEqual([]);
    expect(set).toContain('PORT');
  });

  it('starts what is there, waits while it ends, and gives it the files that the doctor asks for', () => {
    const [, script] = values('ExecStart')[0]!.split(' ');
    expect(existsSync(join(ROOT, script!.replace('/opt/sluice/', '')))).toBe(true);
    expect(Number(values('TimeoutStopSec')[0])).toBeGreaterThan(leavesWithinS());
    expect(Number(values('LimitNOFILE')[0])).toBeGreaterThanOrEqual(4_096);
    expect(values('KillSignal')).toEqual(['SIGTERM']);
    expect(`/var/lib/${values('StateDirectory')[0]}`).toBe(
      values('Environment')
        .find((line) => line.startsWith('DATA_DIR='))!
        .split('=')[1],
    );
  });
});

describe('kubernetes.yml', () => {
  const documents: Document[] = parseAllDocuments(read(`${OPERATE}/kubernetes.yml`)).map((one) => one.toJS());
  const kind = (name: string): Document => documents.find((one) => one.kind === name);
  const { spec } = kind('StatefulSet').spec.template;
  const [container] = spec.containers;

  it('gives nodes settings that there are', () => {
    const told = [...read(`${OPERATE}/kubernetes.yml`).matchAll(/--from-literal=(\w+)/g)].map(([, name]) => name!);
    const names = [...told, ...container.env.map(({ name }: { name: string }) => name)];
    expect(names.filter((name) => !SETTINGS.includes(name))).toEqual([]);
    for (const name of ['SECRET_KEY', 'DATABASE_URL', 'ROOT_DOMAIN', 'SMTP_URL']) expect(names).toContain(name);
    expect(container.image).toBe(`sluice:${manifest.version}`);
  });

  it('asks at addresses that answer, and waits while a node ends', () => {
    const app = read('server/app.ts');
    for (const probe of ['readinessProbe', 'livenessProbe', 'startupProbe'])
      expect(app).toContain(`app.get('${container[probe].httpGet.path}'`);
    expect(container.readinessProbe.httpGet.path).toBe('/readyz');
    const leaveS = Number(container.env.find(({ name }: { name: string }) => name === 'LEAVE_SECONDS').value);
    expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(leavesWithinS(leaveS));
    expect(leaveS).toBeGreaterThan(container.readinessProbe.periodSeconds * 2);
  });

  it('runs it as nobody special, at the port of the image, with its register in a volume of its own', () => {
    expect(spec.securityContext.runAsNonRoot).toBe(true);
    expect(container.securityContext).toMatchObject({ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true });
    expect(dockerfile).toContain(`EXPOSE ${container.ports[0].containerPort}`);
    const [register] = kind('StatefulSet').spec.volumeClaimTemplates;
    const mount = container.volumeMounts.find(({ name }: { name: string }) => name === register.metadata.name);
    expect(dockerfile).toContain(`VOLUME ${mount.mountPath}`);
  });

  it('leads to it', () => {
    const service = kind('Service');
    expect(service.spec.selector).toEqual(kind('StatefulSet').spec.selector.matchLabels);
    expect(kind('PodDisruptionBudget').spec.selector.matchLabels).toEqual(service.spec.selector);
    for (const { http } of kind('Ingress').spec.rules) expect(http.paths[0].backend.service.name).toBe(service.metadata.name);
  });
});

describe('the guides', () => {
  const guides = [...globSync('docs/operate/*.md', { cwd: ROOT }), 'docs/security/supply-chain.md', 'README.md'].sort();

  it('lead to files that are there', () => {
    expect(guides.length).toBeGreaterThan(5);
    const gone = guides.flatMap((guide) =>
      [...read(guide).matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)]
        .map(([, link]) => link!)
        .filter((link) => !/^https?:/.test(link) && !existsSync(join(ROOT, dirname(guide), link)))
        .map((link) => `${guide}: ${link}`),
    );
    expect(gone).toEqual([]);
  });

  it('name tests, scripts and programs that are there', () => {
    const gone = guides.flatMap((guide) => {
      const text = read(guide);
      const commands = [...text.matchAll(/npm run ([\w:-]+)/g)].filter(([, name]) => !(name! in manifest.scripts)).map(([said]) => said);
      const files = [...text.matchAll(/`?((?:test|db|bin|server)\/[\w./-]+\.(?:ts|mjs|sh|json|txt|sql))`?/g)].map(([, file]) => file!);
      return [...commands, ...files.filter((file) => !existsSync(join(ROOT, file)))].map((what) => `${guide}: ${what}`);
    });
    expect(gone).toEqual([]);
  });

  it('name settings that there are', () => {
    const others = /^(AF_|COPY_|DATABASE_PASSWORD|PGPASSWORD|NODE_ENV|APP_ENV|CHROMIUM_PATH|CREATEROLE)/;
    const wrong = guides.flatMap((guide) =>
      [...read(guide).matchAll(/`([A-Z]+(?:_[A-Z]+)+)`/g)]
        .map(([, name]) => name!)
        .filter((name) => !SETTINGS.includes(name) && !others.test(name))
        .map((name) => `${guide}: ${name}`),
    );
    expect(wrong).toEqual([]);
  });
});

const FILLED: Record<string, string> = {
  ROOT_DOMAIN: 'sluice.example',
  SECRET_KEY: 'forty characters that somebody made by chance',
  SMTP_URL: 'smtp://mail.example:587',
  METRICS_TOKEN: 'a token of some length',
};

/** As somebody fills in what compose asks for. */
const filled = (environment: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [name, value.replace(/\$\{(\w+):\?\}/g, (_, wanted) => FILLED[wanted] ?? 'x')]),
  );
