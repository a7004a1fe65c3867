import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Run, openRun } from '../run.ts';
import { chooseWays } from './choose-ways.ts';
import { Sentence, type ServerName } from './server.ts';

describe('the way to a server', () => {
  let run: Run;
  beforeEach(() => {
    run = openRun();
  });
  afterEach(() => run.stop());

  const all: ServerName[] = ['postgres', 'rabbitmq', 'redis'];
  const addresses = { DATABASE_URL: 'postgres://db', AMQP_URL: 'amqp://broker', REDIS_URL: 'redis://cache' };
  const choose = (environment: NodeJS.ProcessEnv) =>
    chooseWays(all, { run, environment, say: () => {}, waitsFor: () => {} });

  test.each(['docker', 'native', ''])(
    'is the address that the environment names, whatever STACK is: "%s"',
    async (STACK) => {
      expect([...(await choose({ ...addresses, STACK }))]).toEqual([
        ['postgres', { by: 'address', url: 'postgres://db' }],
        ['rabbitmq', { by: 'address', url: 'amqp://broker' }],
        ['redis', { by: 'address', url: 'redis://cache' }],
      ]);
    },
  );

  test('is refused in one sentence where STACK is neither docker nor native', async () => {
    await expect(choose({ ...addresses, STACK: 'podman' })).rejects.toEqual(
      new Sentence('STACK must be docker or native, not "podman".'),
    );
  });
});
