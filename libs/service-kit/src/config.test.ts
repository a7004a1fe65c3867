import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { runScript } from '@cobro/testing/run-script.ts';
import { z } from 'zod';
import { bankConfig, loadConfig, refuseLiveInClear, secretKeys, serviceConfig } from './config.ts';

const schema = z.object({ ...serviceConfig, ...bankConfig, VAULT_KEY: secretKeys });
const key = randomBytes(32);
const complete = {
  PORT: '8080',
  KEY_MODE: 'test',
  DATABASE_URL: 'postgres://payments:hunter2@127.0.0.1/cobro',
  AMQP_URL: 'amqp://guest:hunter2@127.0.0.1',
  INTERNAL_VERIFY_KEYS: '{"keys":[{"kid":"gateway"}]}',
  INTERNAL_SIGNING_KEY: '{"kid":"payments","d":"hunter2"}',
  BANK_URL: 'http://127.0.0.1:9',
  VAULT_KEY: key.toString('base64'),
};

const ADDRESSES = ['BANK_URL', 'CHECKOUT_BASE_URL', 'CLOCK_URL'];

describe('the environment', () => {
  test('is read with its defaults, and shows no secret', () => {
    const config = loadConfig(schema, { ...complete, SOMETHING_ELSE: 'x' });
    expect(config).toMatchObject({
      HOST: '0.0.0.0',
      PORT: 8_080,
      LOG_LEVEL: 'info',
      DRAIN_DELAY_MS: 5_000,
      EVENTS_PREFIX: '',
      BANK_CALL_TIMEOUT_MS: 8_000,
      BANK_CONNECT_TIMEOUT_MS: 1_000,
    });
    expect(config.CLOCK_URL).toBeUndefined();
    expect(config.VAULT_KEY[0].reveal().equals(key)).toBe(true);
    expect(JSON.stringify(config)).not.toContain('hunter2');
  });

  test.each<[Record<string, string>, string]>([
    [{}, 'PORT'],
    [{ ...complete, PORT: '0' }, 'PORT: must be a port'],
    [{ ...complete, PORT: '80a' }, 'PORT: must be a whole number'],
    [{ ...complete, DATABASE_URL: '' }, 'DATABASE_URL'],
    [{ ...complete, DATABASE_URL: 'hunter2' }, 'DATABASE_URL: must be an address, as postgres://'],
    [{ ...complete, AMQP_URL: 'http://hunter2' }, 'AMQP_URL: must be an address, as amqp://'],
    [{ ...complete, BANK_URL: 'bank' }, 'BANK_URL'],
    [{ ...complete, LOG_LEVEL: 'loud' }, 'LOG_LEVEL'],
    [{ ...complete, KEY_MODE: '' }, 'KEY_MODE: must be live or test'],
    [{ ...complete, VAULT_KEY: 'hunter2' }, 'VAULT_KEY: must be 32 bytes in base64, or several with commas'],
    [{ ...complete, INTERNAL_SIGNING_KEY: 'hunter2' }, 'INTERNAL_SIGNING_KEY: must be JSON'],
    [{ ...complete, INTERNAL_VERIFY_KEYS: '{}' }, 'INTERNAL_VERIFY_KEYS'],
    [{ ...complete, TLS_FOLDER: '/nowhere' }, 'TLS_FOLDER: must be a folder with tls.crt, tls.key and ca.crt'],
  ])('that is wrong ends the process with 78 and a sentence (%#)', async (env, named) => {
    const { ended, output } = runScript(
      `import { z } from 'zod';
       import { bankConfig, loadConfig, secretKeys, serviceConfig } from '@cobro/service-kit/config.ts';
       loadConfig(z.object({ ...serviceConfig, ...bankConfig, VAULT_KEY: secretKeys }));
       console.log('started');`,
      env,
    );
    expect(await ended).toBe(78);
    expect(output.stdout).toBe('');
    expect(output.stderr).toMatch(/^The environment is not complete: .*\.\n$/);
    expect(output.stderr).toContain(named);
    expect(output.stderr).not.toContain('hunter2');
  });
});

describe('with live keys', () => {
  const live = z
    .object({ KEY_MODE: z.string(), ...Object.fromEntries(ADDRESSES.map((name) => [name, z.url().optional()])) })
    .superRefine(refuseLiveInClear);
  const problems = (env: Record<string, string>) =>
    live.safeParse({ KEY_MODE: 'live', ...env }).error?.issues.map(({ path, message }) => `${path.join()} ${message}`);

  test.each([
    ['BANK_URL', 'http://bank.example.com', 'BANK_URL must be https, because KEY_MODE is live'],
    ['BANK_URL', 'HTTP://bank.example.com', 'BANK_URL must be https, because KEY_MODE is live'],
    ['BANK_URL', 'http://127.0.0.1.example.com', 'BANK_URL must be https, because KEY_MODE is live'],
    ['BANK_URL', 'ftp://127.0.0.1', 'BANK_URL must be https, because KEY_MODE is live'],
    ['BANK_URL', 'http://localhost@bank.example.com', 'BANK_URL must be https, because KEY_MODE is live'],
    ['CHECKOUT_BASE_URL', 'http://pay.example.com', 'CHECKOUT_BASE_URL must be https, because KEY_MODE is live'],
    ['CLOCK_URL', 'https://127.0.0.1/', 'CLOCK_URL must not be set, because KEY_MODE is live'],
  ])('%s=%s is refused', (name, value, problem) => {
    expect(problems({ [name]: value })).toEqual([problem]);
    expect(problems({ KEY_MODE: 'test', [name]: value })).toBeUndefined();
  });

  test.each(['https://bank.example.com', 'http://127.0.0.1:8080', 'http://localhost', 'http://[::1]:8080'])(
    'an address that is encrypted or never leaves the machine is taken: %s',
    (address) => expect(problems({ BANK_URL: address, CHECKOUT_BASE_URL: address })).toBeUndefined(),
  );
});
