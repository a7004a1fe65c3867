import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { schemaOf } from '@cobro/frame/definition.ts';
import type { ServicePasswords } from '@cobro/testing/broker-address.ts';
import { dropTopology } from '@cobro/testing/drop-topology.ts';
import {
  type TestEnvironment,
  type TestTemplate,
  testEnvironment,
  testWorker,
} from '@cobro/testing/test-environment.ts';
import { definitions } from '../../services/definitions.ts';
import { topologiesIn } from './drop-foreign.ts';
import type { Packed } from './pack-programs.ts';
import { type ServiceRoles, createDatabase, createRoles, dropDatabases } from './provision-postgres.ts';
import { dropKeys } from './provision-redis.ts';
import type { Run } from './run.ts';
import { type Server, type Servers, hostAndPort, serverOfOthers } from './servers/server.ts';

/** Makes on the servers what all tests share, and has everything of the tests dropped from servers that outlive the run. */
export async function prepareTests(
  run: Run,
  servers: Servers,
  packed: Packed,
  say: (line: string) => void,
): Promise<TestEnvironment> {
  const { postgres, rabbitmq, redis } = servers;
  const topologiesFile = join(run.folder, 'topologies.jsonl');
  writeFileSync(topologiesFile, '');
  run.onServer(rabbitmq, { kind: 'topologies', server: hostAndPort(rabbitmq.url), file: topologiesFile }, () =>
    dropTopology(rabbitmq.url, ...topologiesIn(topologiesFile)),
  );
  const keys = `cobro-${run.id}:`;
  run.onServer(redis, { kind: 'redis-keys', server: hostAndPort(redis.url), prefix: keys }, () =>
    dropKeys(redis.url, keys),
  );
  return {
    id: run.id,
    postgres: { ...shared(postgres), url: postgres.url, templates: await createTemplates(run, postgres, say) },
    rabbitmq: { ...shared(rabbitmq), virtualHostUrls: rabbitmq.virtualHostUrls, ...passwordsOf(rabbitmq) },
    redis: { ...shared(redis), url: redis.url },
    topologiesFile,
    packed: packed.folder,
  };
}

/** The servers of the `npm test` that this test runs in: `startStack({ servers: fromTestEnvironment() })`. */
export function fromTestEnvironment(): Servers {
  const { postgres, rabbitmq, redis } = testEnvironment();
  const { virtualHostUrls } = rabbitmq;
  const url = virtualHostUrls[testWorker() % virtualHostUrls.length] ?? '';
  return {
    postgres: testServer('postgres', postgres.url, postgres.foreign),
    rabbitmq: { ...testServer('rabbitmq', url, rabbitmq.foreign), virtualHostUrls: [url], ...passwordsOf(rabbitmq) },
    redis: testServer('redis', redis.url, redis.foreign),
  };
}

/** A server that an address names has none. */
const passwordsOf = ({ servicePasswords }: { servicePasswords?: ServicePasswords }) =>
  servicePasswords === undefined ? {} : { servicePasswords };

function testServer(name: Server['name'], url: string, foreign: boolean): Server {
  const owner = foreign ? 'foreign' : 'test-run';
  return serverOfOthers(
    { name, owner, url, about: `${name}: the one of this test run` },
    `${name} is shared with other tests: start one of your own`,
  );
}

function shared({ owner }: Server): { foreign: boolean } {
  return { foreign: owner === 'foreign' };
}

async function createTemplates(
  run: Run,
  postgres: Server,
  say: (line: string) => void,
): Promise<Record<string, TestTemplate>> {
  const prefix = `cobro_${run.id}`;
  run.onServer(postgres, { kind: 'databases', server: hostAndPort(postgres.url), prefix }, () =>
    dropDatabases(postgres.url, prefix),
  );
  const schemas = definitions.map(schemaOf);
  const names = schemas.map(({ name }) => name);
  const roles = await createRoles(postgres.url, prefix, names);
  const templates: Record<string, TestTemplate> = {};
  await Promise.all(
    schemas.map(async (schema) => {
      const database = `${prefix}_${schema.name}`;
      const { service } = roles[schema.name] as ServiceRoles;
      try {
        await createDatabase(postgres.url, database, [schema], roles);
        templates[schema.name] = { database, role: service };
      } catch (error) {
        // The tests of that service will fail, but the others can run.
        say(`the migrations of ${schema.name} failed: ${String(error)}`);
      }
    }),
  );
  return templates;
}
