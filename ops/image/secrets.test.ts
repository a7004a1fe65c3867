import { expect, test } from '@jest/globals';
import { type Manifest, manifests } from './secrets-under-test.ts';
import { printSecrets } from './secrets.ts';

test('no two Secrets have a value in common, and each service has a key of its own', () => {
  const args = ['--postgres', 'db:5432/cobro', '--rabbitmq', 'mq:5672', '--redis', 'kv:6379', '--trial'];
  const passwords = (all: Manifest[]) => all.flatMap(({ stringData }) => Object.values(stringData));
  const [first, second] = [passwords(manifests(args)), passwords(manifests(args))];
  expect(first.filter((value) => second.includes(value))).toEqual([]);
  expect(manifests(args).map(({ metadata }) => metadata.name)).toEqual([
    'cobro-keys',
    'cobro-postgres',
    'cobro-postgres-admin',
    'cobro-rabbitmq',
    'cobro-redis',
  ]);
});

test('only of a trial there is an administrator’s address, in a Secret of its own', () => {
  const text = JSON.stringify(manifests(['--postgres', 'db:5432/cobro']));
  expect(text).not.toMatch(/admin|postgres:\/\/postgres:/);
  const trial = manifests(['--postgres', 'db:5432/cobro', '--trial']);
  const having = trial.filter(({ stringData }) => JSON.stringify(stringData).includes('postgres://postgres:'));
  expect(having.map(({ metadata }) => metadata.name)).toEqual(['cobro-postgres-admin']);
  expect(printSecrets(['--env', '--trial', '--postgres', 'db:5432/cobro'])).toMatch(
    /^POSTGRES_ADMIN_PASSWORD='[^']+'\nPOSTGRES_ADMIN_URL='postgres:\/\/postgres:[^']+@db:5432\/postgres'$/m,
  );
});
