/** account §6 and issue-wide: every endpoint of the product, asked as nobody and as a stranger. A new one without protection fails here. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  buildSamples,
  callSample,
  ELSEWHERE,
  listRoutes as listRoutesOf,
  OWN_PAGE,
  PUBLIC,
  type Sample,
} from '#test/harness/endpoint-samples.ts';
import { startTestWorld } from '#test/harness/node.ts';

const T = '/api/v1/teamMgmt';
let node: Awaited<ReturnType<typeof startTestWorld>>;
let strangersOwner: string;
let samples: Record<string, Sample>;

beforeAll(async () => {
  node = await startTestWorld();
  ({ strangersOwner, samples } = await buildSamples(node));
});
afterAll(() => node.stop());

const listRoutes = () => listRoutesOf(node);
const call = (route: string, sample: Sample, cookie: string, headers: Record<string, string> = OWN_PAGE) =>
  callSample(node, route, sample, cookie, headers);

describe('every endpoint', () => {
  it('is public with a reason, or has a sample here', () => {
    const routes = listRoutes();
    expect(routes.length).toBeGreaterThan(30);
    expect(routes).toContain(`POST ${T}/team/disable`);
    const unknown = routes.filter((route) => !(route in PUBLIC) && !(route in samples) && !ELSEWHERE.test(route));
    expect(unknown).toEqual([]);
  });

  it('C1, 1.2 identity from body, 1.2 second door without lock: is closed to nobody', async () => {
    for (const route of listRoutes().filter((one) => one in samples)) {
      const { status } = await call(route, samples[route]!, '');
      expect([route, status]).toEqual([route, 401]);
    }
  });

  it('B3: that changes something is closed to foreign pages', async () => {
    for (const route of listRoutes().filter((one) => one in samples && one.startsWith('POST'))) {
      const { status } = await call(route, samples[route]!, strangersOwner, {});
      expect([route, status]).toEqual([route, 403]);
    }
  });

  it('B3: of the console lets no page of a sibling sub-domain, of another site or of nowhere ask with a header or JSON', async () => {
    const origins = ['http://evil.localhost', 'https://evil.example', 'null'];
    for (const route of listRoutes().filter((one) => one in samples && one.startsWith('POST'))) {
      const path = samples[route]!.path ?? route.split(' ')[1]!;
      for (const origin of origins) {
        const asked = await node.app.inject({
          method: 'OPTIONS',
          url: path,
          headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-requested-with,content-type' },
        });
        const allowed = Object.keys(asked.headers).filter((name) => name.startsWith('access-control-allow'));
        expect([route, origin, allowed]).toEqual([route, origin, []]);
      }
    }
  });

  it('B3: changes nothing for a foreign page, public or not', async () => {
    for (const route of Object.keys(PUBLIC).filter((one) => one.startsWith('POST'))) {
      const { status } = await call(route, { path: route.split(' ')[1]!.replace(':token', 'x'), body: {} }, '', {});
      // 404: what is no token opens nothing at all.
      expect([route, [400, 403, 404].includes(status)]).toEqual([route, true]);
    }
  });

  it('C1: that takes an id answers a stranger as if it were not there', async () => {
    for (const route of listRoutes().filter((one) => samples[one]?.stranger)) {
      const { status } = await call(route, samples[route]!, strangersOwner);
      expect([route, status]).toEqual([route, samples[route]!.stranger]);
    }
  });

  it('F7: says of every answer what it is, keeps what is somebody’s nowhere, and lets no page be framed or run what is not ours', async () => {
    // The feed never ends; its headers are its own.
    for (const route of listRoutes().filter((one) => !one.endsWith('/feed'))) {
      const [method, pattern] = route.split(' ') as ['GET' | 'POST', string];
      const sample = samples[route];
      const isForm = pattern.includes('/download-file/');
      const { statusCode, headers } = await node.app.inject({
        method,
        url: sample?.path ?? pattern.replace(/:\w+/g, 'x').replace('*', 'nothing'),
        headers: {
          ...{ ...OWN_PAGE, cookie: strangersOwner, 'sec-fetch-site': 'same-origin' },
          ...(sample?.body !== undefined && { 'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' }),
        },
        ...(sample?.body !== undefined && {
          payload: isForm ? new URLSearchParams(sample.body as Record<string, string>).toString() : JSON.stringify(sample.body),
        }),
      });
      const type = String(headers['content-type'] ?? '');
      expect([route, statusCode, headers['x-content-type-options']]).toEqual([route, statusCode, 'nosniff']);
      if (/ \/(api|team-login|admin|mailbox)/.test(route)) expect([route, headers['cache-control']]).toEqual([route, 'no-store']);
      const policy = String(headers['content-security-policy']);
      for (const said of ["frame-ancestors 'none'", "base-uri 'none'"])
        expect([route, policy]).toEqual([route, expect.stringContaining(said)]);
      expect([route, headers['referrer-policy']]).toEqual([route, expect.stringMatching(/^(no-referrer|same-origin)$/)]);
      if (type.startsWith('text/html')) {
        expect([route, /default-src '(self|none)'/.test(policy), /script-src[^;]*unsafe/.test(policy)]).toEqual([route, true, false]);
      }
      if (type.startsWith('text/csv'))
        expect([route, headers['content-disposition']]).toEqual([route, expect.stringMatching(/^attachment; /)]);
    }
  });
});
