import { randomBytes } from 'node:crypto';
import { withClient } from '@cobro/postgres/with-client.ts';
import { testEnvironment } from '@cobro/testing/test-environment.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort } from '@cobro/testing/free-port.ts';
import { givenPostgres, givenRabbitmq, givenRedis } from './given-servers.ts';
import { Sentence } from './server.ts';

describe('a server that the environment names', () => {
  const { id, postgres, rabbitmq, redis } = testEnvironment();
  const role = `cobro_${id}_g${randomBytes(4).toString('hex')}`;

  const asAdmin = (statement: string) =>
    withClient({ connectionString: postgres.url }, async (client) => void (await client.query(statement)));
  beforeAll(() => asAdmin(`create role ${role} login createdb password 'secret'`));
  afterAll(() => asAdmin(`drop role ${role}`));

  function changed(url: string, change: (address: URL) => void): string {
    const address = new URL(url);
    change(address);
    return address.href;
  }

  test('is used as it is, and said to be foreign', async () => {
    const servers = await Promise.all([
      givenPostgres(postgres.url),
      givenRabbitmq(rabbitmq.virtualHostUrls[0] as string),
      givenRedis(redis.url),
    ]);
    expect(servers.map(({ name, owner }) => [name, owner])).toEqual([
      ['postgres', 'foreign'],
      ['rabbitmq', 'foreign'],
      ['redis', 'foreign'],
    ]);
    for (const { about } of servers)
      expect(about).toMatch(/^\w+: the server at [^@ ]+ that \w+ names(; all services share its one user)?$/);
  });

  test('is refused in one sentence where a right is lacking', async () => {
    const url = changed(postgres.url, (address) => {
      address.username = role;
      address.password = 'secret';
    });
    await expect(givenPostgres(url)).rejects.toEqual(
      new Sentence(`DATABASE_URL: the role ${role} needs CREATEDB and CREATEROLE.`),
    );
  });

  test('is refused in one sentence, without the password, where it does not let us in', async () => {
    // The user is wrong too, because a server may let the right one in without a password.
    const wrong = (url: string) =>
      changed(url, (address) => {
        address.username = role.replace('_g', '_nobody');
        address.password = 'wrong-one';
      });
    for (const open of [
      () => givenPostgres(wrong(postgres.url)),
      () => givenRabbitmq(wrong(rabbitmq.virtualHostUrls[0] as string)),
      () => givenRedis(wrong(redis.url)),
    ]) {
      const error = await open().then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error).toBeInstanceOf(Sentence);
      expect((error as Error).message).toMatch(/^(DATABASE_URL|AMQP_URL|REDIS_URL): the server at \S+:\d+ /);
      expect((error as Error).message).not.toContain('wrong-one');
    }
  });

  test('is refused in one sentence where nobody listens', async () => {
    const nobody = `127.0.0.1:${await freePort()}`;
    await expect(givenPostgres(`postgres://x@${nobody}/x`)).rejects.toBeInstanceOf(Sentence);
    await expect(givenRabbitmq(`amqp://${nobody}`)).rejects.toBeInstanceOf(Sentence);
    await expect(givenRedis(`redis://${nobody}`)).rejects.toBeInstanceOf(Sentence);
    await expect(givenPostgres('not an address')).rejects.toEqual(new Sentence('DATABASE_URL is not an address.'));
  });
});
