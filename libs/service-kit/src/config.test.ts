import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { runScript } from '@cobro/testing/run-script.ts';
import { z } from 'zod';
import { bankConfig, loadConfig, secretKeys, serviceConfig } from './config.ts';

const schema = z.object({ ...serviceConfig, ...bankConfig, VAULT_KEY: secretKeys });
const key = randomBytes(32);
const complete = {
  PORT: '8080',
  DATABASE_URL: 'postgres://payments:hunter2@127.0.0.1/cobro',
  AMQP_URL: 'amqp://guest:hunter2@127.0.0.1',
  INTERNAL_VERIFY_KEYS: '{"keys":[{"kid":"gateway"}]}',
  INTERNAL_SIGNING_KEY: '{"kid":"payments","d":"hunter2"}',
  BANK_URL: 'http://127.0.0.1:9',
  VAULT_KEY: key.toString('base64'),
};

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
    [{ ...complete, VAULT_KEY: 'hunter2' }, 'VAULT_KEY: must be 32 bytes in base64, or several with commas'],
    [{ ...complete, INTERNAL_SIGNING_KEY: 'hunter2' }, 'INTERNAL_SIGNING_KEY: must be JSON'],
    [{ ...complete, INTERNAL_VERIFY_KEYS: '{}' }, 'INTERNAL_VERIFY_KEYS'],
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
