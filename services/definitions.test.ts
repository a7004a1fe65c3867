import { configOf } from '@cobro/frame/definition.ts';
import { generateKeys } from '@cobro/testing/keys.ts';
import { serviceEnvironment } from '@cobro/testing/service-environment.ts';
import { describe, expect, test } from '@jest/globals';
import { definitions } from './definitions.ts';

const IN_CLEAR = ['BANK_URL', 'CHECKOUT_BASE_URL', 'CLOCK_URL', 'WEBHOOKS_TO_LOOPBACK'];
const around = {
  keys: generateKeys(),
  broker: { url: 'amqp://127.0.0.1', prefix: '' },
  redis: { url: 'redis://127.0.0.1', prefix: '' },
  bankUrl: 'http://bank.example.com',
  clockUrl: 'http://127.0.0.1:9',
  serviceUrls: { gateway: 'http://pay.example.com' },
};

describe.each(definitions.map((definition) => ({ name: definition.name, definition })))('$name', (one) => {
  const endpoints = {
    databaseUrl: 'postgres://127.0.0.1/cobro',
    port: 8_080,
    partnerPort: 8_081,
    peoplePort: 8_082,
    dashboardPort: 8_083,
  };
  const environment = serviceEnvironment(one.name, around, endpoints);
  const config = configOf(one.definition);
  /** What the process would say before it ends with 78. */
  const problemsWith = (env: Record<string, string>): string[] =>
    config.safeParse(env).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];

  test('takes any addresses with test keys, and has to be told which keys', () => {
    expect(problemsWith(environment)).toEqual([]);
    expect(problemsWith({ ...environment, KEY_MODE: '' })).toContain('KEY_MODE: must be live or test');
  });

  test('with live keys, does not start where cards would travel in clear or the clock can be moved', () => {
    const wrong = Object.keys(config.shape).filter((name) => IN_CLEAR.includes(name));
    const problems = problemsWith({ ...environment, KEY_MODE: 'live' });
    expect(problems.length > 0).toBe(wrong.length > 0);
    for (const name of wrong) expect(problems).toContainEqual(expect.stringContaining(`${name}: must`));
  });
});
