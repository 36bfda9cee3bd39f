import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, readConfig } from '#server/kit/config.ts';

const SECRET_KEY = 'a secret of the tests, long enough to pass';

/** What tests and benchmarks run with: buyers live on loopback, and nothing is printed unless TEST_LOG_LEVEL asks for it. */
export const TEST_CONFIG: Config = {
  ...readConfig({
    APP_ENV: 'test',
    SEED: 'none',
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
    SECRET_KEY,
  }),
  outboundAllow: ['127.0.0.1'],
  // Organizations of other tests are passed by.
  erasureRegister: join(tmpdir(), `sluice-erasures-${process.pid}.jsonl`),
};

/** What production runs with: second factor, secure cookies, https links, no mailbox. */
export const PRODUCTION_CONFIG: Config = readConfig({
  APP_ENV: 'production',
  ROOT_DOMAIN: 'sluice.example',
  SEED: 'none',
  LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
  SECRET_KEY,
});
