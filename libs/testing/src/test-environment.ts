/** What `npm test` has set up, as JSON in this variable. */
export const TEST_ENVIRONMENT = 'TEST_ENVIRONMENT';

export interface TestEnvironment {
  /** In the name of everything that tests make on the servers. */
  id: string;
  postgres: {
    /** Whether the server was there before the tests and stays after them. */
    foreign: boolean;
    /** The administrator's address. */
    url: string;
    /** One migrated database per service, to be copied. */
    templates: Record<string, TestTemplate>;
  };
  /** At least one virtual host per jest worker where the broker is ours; one in all where it is not. */
  rabbitmq: { foreign: boolean; virtualHostUrls: string[] };
  redis: { foreign: boolean; url: string };
  /** Names of topologies that tests declare, a JSON line each, so that they can be dropped after a crash. */
  topologiesFile: string;
}

export interface TestTemplate {
  database: string;
  /** The service's own role in every copy. */
  role: { name: string; password: string };
}

export function testEnvironment(): TestEnvironment {
  const json = process.env[TEST_ENVIRONMENT];
  if (json === undefined) throw new Error('This test needs servers: run it with `npm test -- <path>`.');
  return JSON.parse(json) as TestEnvironment;
}

/** From 0, among the workers of jest. */
export function testWorker(): number {
  return Number(process.env['JEST_WORKER_ID'] ?? '1') - 1;
}
