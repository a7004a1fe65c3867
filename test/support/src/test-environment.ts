import type { ServicePasswords } from './broker-address.ts';

/** The variable in which `npm test` passes on what it has set up, as JSON. */
export const TEST_ENVIRONMENT = 'TEST_ENVIRONMENT';

export interface TestEnvironment {
  /** Part of the name of everything that tests make on the servers. */
  id: string;
  postgres: {
    /** True if the server was there before the tests and stays after them. */
    foreign: boolean;
    /** The administrator's address. */
    url: string;
    /** One migrated database per service, to be copied. */
    templates: Record<string, TestTemplate>;
  };
  /** If the broker is ours: at least one virtual host for each jest worker. Otherwise one for all. */
  rabbitmq: { foreign: boolean; virtualHostUrls: string[]; servicePasswords?: ServicePasswords };
  redis: { foreign: boolean; url: string };
  /** A file with the names of topologies that tests declare, one JSON line each, so that they can be dropped after a crash. */
  topologiesFile: string;
  /** Folder of the packed programs. */
  packed: string;
}

export interface TestTemplate {
  database: string;
  /** The service's own role in every copy of the template. */
  role: { name: string; password: string };
}

export function testEnvironment(): TestEnvironment {
  const json = process.env[TEST_ENVIRONMENT];
  if (json === undefined) throw new Error('This test needs servers: run it with `npm test -- <path>`.');
  return JSON.parse(json) as TestEnvironment;
}

/** The number of this jest worker, from 0. */
export function testWorker(): number {
  return Number(process.env['JEST_WORKER_ID'] ?? '1') - 1;
}
