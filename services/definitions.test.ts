import { configOf } from '@cobro/frame/definition.ts';
import { generateKeys } from '@cobro/testing/keys.ts';
import { runScript } from '@cobro/testing/run-script.ts';
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
  const start = (env: Record<string, string>) =>
    runScript(
      `import { loadConfig } from '@cobro/service-kit/config.ts';
       import { configOf } from '@cobro/frame/definition.ts';
       import { definitions } from '${import.meta.dirname}/definitions.ts';
       loadConfig(configOf(definitions.find(({ name }) => name === '${one.name}')));`,
      env,
    );

  test('takes any addresses with test keys, and has to be told which keys', async () => {
    expect(await start(environment).ended).toBe(0);
    const { ended, output } = start({ ...environment, KEY_MODE: '' });
    expect(await ended).toBe(78);
    expect(output.stderr).toContain('KEY_MODE: must be live or test');
  });

  test('with live keys, does not start where cards would travel in clear or the clock can be moved', async () => {
    const wrong = Object.keys(configOf(one.definition).shape).filter((name) => IN_CLEAR.includes(name));
    const { ended, output } = start({ ...environment, KEY_MODE: 'live' });
    expect(await ended).toBe(wrong.length === 0 ? 0 : 78);
    for (const name of wrong) expect(output.stderr).toContain(`${name}: must`);
  });
});
