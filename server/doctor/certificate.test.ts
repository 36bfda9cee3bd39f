/** What `npm run doctor` says of the certificate that browsers see, of real TLS servers. */
import { createServer, type Server } from 'node:tls';
import { afterEach, expect, it } from 'vitest';
import { privateKey as keyOfAnother, certificate as ofAnother } from '#server/delivery/outbound.fixture.ts';
import { PRODUCTION_CONFIG } from '#test/harness/config.ts';
import { certificate, overCertificate, privateKey } from './certificate.fixture.ts';
import { dialHttps, lookAtCertificate } from './certificate.ts';

const CONFIG = { ...PRODUCTION_CONFIG, rootDomain: 'sluice.test' };
const GOOD_UNTIL = Date.UTC(2120, 0, 1);
const DAY_MS = 86_400_000;

let server: Server | undefined;
afterEach(async () => {
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
  server = undefined;
});

async function serve(cert: string, key: string): Promise<number> {
  server = createServer({ cert, key }, (socket) => socket.end());
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  return (server.address() as { port: number }).port;
}

async function look(cert = certificate, { ca, key = privateKey, now }: { ca?: string; key?: string; now?: number } = {}) {
  const port = await serve(cert, key);
  return lookAtCertificate(CONFIG, dialHttps({ host: '127.0.0.1', port, ...(ca !== undefined && { ca }) }), now);
}

it('finds a certificate well that is trusted and names the domain and its sub-domains', async () => {
  expect(await look(certificate, { ca: certificate })).toEqual([
    { level: 'ok', what: 'The certificate of sluice.test is good until 2120-01-01.' },
  ]);
});

it('tells two weeks before a certificate is over', async () => {
  const [found] = await look(certificate, { ca: certificate, now: GOOD_UNTIL - 13.5 * DAY_MS });
  expect(found).toEqual({
    level: 'warn',
    what: 'The certificate of sluice.test is good until 2120-01-01.',
    mend: 'Renew it: 13 days are left, and nobody gets in after them.',
  });
});

it('ASVS 5.0 12.2.2: says of one that is over, that nobody trusts or that is for another name, what to do', async () => {
  const [over] = await look(overCertificate, { ca: overCertificate });
  expect(over).toEqual({ level: 'bad', what: 'The certificate of sluice.test is over.', mend: 'Renew it: browsers let nobody in.' });
  const [untrusted] = await look();
  expect(untrusted).toMatchObject({ level: 'bad', what: 'The certificate of sluice.test is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT).' });
  const others = await look(ofAnother, { ca: ofAnother, key: keyOfAnother });
  expect(others.map(({ level, what }) => [level, what])).toEqual([
    ['bad', 'The certificate shown for sluice.test is not for it.'],
    ['bad', 'The certificate shown for doctor.sluice.test is not for it.'],
  ]);
});

it('says where nobody answers, and looks at nothing outside production', async () => {
  const port = await serve(certificate, privateKey);
  await new Promise((resolve) => server!.close(resolve));
  server = undefined;
  const found = await lookAtCertificate(CONFIG, dialHttps({ host: '127.0.0.1', port }));
  expect(found.map(({ level, what }) => [level, what])).toEqual([
    ['warn', 'sluice.test: nobody answers by TLS (ECONNREFUSED).'],
    ['warn', 'Sub-domains of sluice.test: nobody answers by TLS (ECONNREFUSED).'],
  ]);
  expect(await lookAtCertificate({ ...CONFIG, appEnv: 'test' })).toEqual([
    { level: 'ok', what: 'Certificates are of interest in production.' },
  ]);
});
