import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

const refusal = (env: Record<string, string>) => {
  try {
    readConfig(env);
    return undefined;
  } catch (error) {
    return error instanceof ConfigError ? error.message : String(error);
  }
};
const SECRET = 'abcdefghijklmnopqrstuvwxyz0123456789';

describe('settings', () => {
  it.each([
    [{ PORT: 'abc' }, 'PORT: must be a whole number from 0 to 65535.'],
    [{ PORT: '70000' }, 'PORT: must be a whole number from 0 to 65535.'],
    [{ APP_ENV: 'staging' }, /^APP_ENV: .*local.*test.*production/],
    [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL: must begin with postgres://.'],
    [{ SMTP_URL: 'http://x' }, 'SMTP_URL: must begin with smtp:// or smtps://.'],
    [{ SECRET_KEY: 'short' }, 'SECRET_KEY: must have at least 32 characters.'],
    [{ SEED: 'lots' }, /^SEED: /],
    [{ OUTBOUND_ALLOW: 'a.example, 10.0.0.0/99' }, 'OUTBOUND_ALLOW: "10.0.0.0/99" is not host, host:port, address or CIDR.'],
    [{ OUTBOUND_ALLOW: 'a\nb' }, 'OUTBOUND_ALLOW: "a\\nb" is not host, host:port, address or CIDR.'],
    [{ METRICS_TOKEN: 'short' }, 'METRICS_TOKEN: must have at least 16 characters.'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4317' }, /^OTEL_EXPORTER_OTLP_ENDPOINT: must be the address of a collector/],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://me:word@collector.example' },
      'OTEL_EXPORTER_OTLP_ENDPOINT: must hold no user and password; send them by OTEL_EXPORTER_OTLP_HEADERS.',
    ],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'grpc://collector:4317' }, /^OTEL_EXPORTER_OTLP_ENDPOINT: must be the address of a collector/],
    [
      { OTEL_EXPORTER_OTLP_HEADERS: 'secret-without-name' },
      'OTEL_EXPORTER_OTLP_HEADERS: must be name=value, several with commas between them.',
    ],
    [{ OTEL_EXPORTER_OTLP_HEADERS: 'a=b%0d%0ac' }, 'OTEL_EXPORTER_OTLP_HEADERS: must be name=value, several with commas between them.'],
    [{ OTEL_TRACES_SAMPLER_ARG: '2' }, 'OTEL_TRACES_SAMPLER_ARG: must be 1 or less.'],
    [{ OTEL_TRACES_SAMPLER_ARG: 'always' }, 'OTEL_TRACES_SAMPLER_ARG: must be a share from 0 to 1.'],
    [
      { TRACEPARENT_TO: 'https://crm.internal' },
      'TRACEPARENT_TO: "https://crm.internal" is not a host, such as crm.internal or 10.1.2.3:8443.',
    ],
    [{ TRUSTED_PROXIES: 'true' }, 'TRUSTED_PROXIES: "true" is not an address or CIDR.'],
    [{ TRUSTED_PROXIES: '1' }, 'TRUSTED_PROXIES: "1" is not an address or CIDR.'],
    [{ TRUSTED_PROXIES: '10.0.0.1, loopback' }, 'TRUSTED_PROXIES: "loopback" is not an address or CIDR.'],
    [{ TRUSTED_PROXIES: '0.0.0.0/0' }, 'TRUSTED_PROXIES: 0.0.0.0/0 would believe everybody.'],
  ])('%j is refused in one line', (env, expected) => {
    const message = refusal(env as Record<string, string>)!;
    if (typeof expected === 'string') expect(message).toBe(expected);
    else expect(message).toMatch(expected);
    expect(message).not.toContain('\n');
  });

  it('E1: production refuses to start with demo secrets, demo data or loopback buyers', () => {
    expect(refusal({ APP_ENV: 'production' })).toMatch(/^SECRET_KEY/);
    expect(refusal({ APP_ENV: 'production', SECRET_KEY: 'local-only-secret-not-for-production' })).toMatch(/^SECRET_KEY:/);
    expect(refusal({ APP_ENV: 'production', SECRET_KEY: SECRET, SECRET_KEY_ALSO: 'local-only-secret-not-for-production' })).toMatch(
      /^SECRET_KEY_ALSO:.*rotate-keys/,
    );
    expect(refusal({ APP_ENV: 'production', SECRET_KEY: SECRET, SEED: 'demo' })).toMatch(/^SEED/);
    const own = ['127.0.0.1', 'a.example, localhost:4000', '[::1]:80', '127.0.0.0/8', '0.0.0.0/0', '0.0.0.0'];
    for (const OUTBOUND_ALLOW of [...own, '*.localhost', 'a.localhost', '::/0', '64.0.0.0/2', '0:0:0:0:0:0:0:1']) {
      expect(refusal({ APP_ENV: 'production', SECRET_KEY: SECRET, OUTBOUND_ALLOW })).toMatch(/^OUTBOUND_ALLOW/);
    }
    expect(refusal({ APP_ENV: 'production', SECRET_KEY: SECRET, OUTBOUND_ALLOW: '10.1.2.3:8443' })).toBeUndefined();
  });

  it('local needs nothing, and seeds the demo world', () => {
    expect(readConfig({})).toMatchObject({ port: 3000, appEnv: 'local', seed: 'demo', rootDomain: 'localhost', trustedProxies: [] });
  });

  it('nothing is traced and nobody is told of a trace unless somebody says so', () => {
    expect(readConfig({}).traces).toEqual({ endpoint: undefined, headers: {}, share: 1, to: [] });
    const read = readConfig({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example/otlp',
      OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Bearer%20abc==, x-team=sluice',
      OTEL_TRACES_SAMPLER_ARG: '0.1',
      TRACEPARENT_TO: 'CRM.internal, 10.1.2.3:8443',
    });
    expect(read.traces).toEqual({
      endpoint: 'https://collector.example/otlp',
      headers: { authorization: 'Bearer abc==', 'x-team': 'sluice' },
      share: 0.1,
      to: ['crm.internal', '10.1.2.3:8443'],
    });
  });

  it('account §4: two-factor is on in production, and off in local and test alone', () => {
    expect(readConfig({ APP_ENV: 'production', SECRET_KEY: SECRET }).twoFactor).toBe(true);
    for (const env of [{ APP_ENV: 'local' }, { APP_ENV: 'test' }, {}]) expect(readConfig(env).twoFactor).toBe(false);
    // Nothing else of the environment turns it on or off.
    const noise = { TWO_FACTOR: 'false', MFA: '0', SEED: 'none', SECRET_KEY: SECRET };
    expect(readConfig({ ...noise, APP_ENV: 'production' }).twoFactor).toBe(true);
    expect(readConfig({ ...noise, APP_ENV: 'local' }).twoFactor).toBe(false);
    // An environment of another name does not start at all, so there is no third way to be without it.
    for (const APP_ENV of ['staging', 'Local', 'TEST', 'development', '']) expect(refusal({ APP_ENV })).toMatch(/^APP_ENV/);
  });

  it('proxies are addresses and ranges of them', () => {
    expect(readConfig({ TRUSTED_PROXIES: '10.0.0.1, 10.1.0.0/16,::1 , fd00::/8' }).trustedProxies).toEqual([
      '10.0.0.1',
      '10.1.0.0/16',
      '::1',
      'fd00::/8',
    ]);
  });
});
