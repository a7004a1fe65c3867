import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, openPatiently } from '@cobro/postgres/database.ts';
import { untilAgreed } from '@cobro/testing/agreement.ts';
import { failedHandOvers } from '@cobro/testing/handed-over.ts';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { type Stack, type StackOptions, startStack } from '../../dev/stack/stack.ts';
import type { ServiceName } from '../../services/definitions.ts';
import { brokenContractsOf } from '../sick/left-behind.ts';
import { type BrokerSwitch, serversBehindSwitch, serversWithoutBroker } from './broker-switch.ts';
import { type Client, createClient } from './client.ts';
import { type PostgresSwitch, serversWithPausablePostgres } from './postgres-switch.ts';
import { type DeveloperReader, developerReader } from './developer-reader.ts';

/** A whole stack, from before the first test of a file to after its last one. Only tests and hooks may use it. */
export interface StackUnderTest {
  stack(): Stack;
  broker: BrokerSwitch;
  postgres: PostgresSwitch;
  /** A client of the main API, with the first organization's key or the given one. */
  merchant(apiKey?: string): Client;
  partner(apiKey?: string): Client;
  /** For polling, without a limit of requests. */
  developer: DeveloperReader;
  /** A service's schema as an administrator sees it. */
  db(service: ServiceName): Database;
  /** Waits until bank, payments, holds, intents and reporting agree about every payment. @throws if they do not in two minutes */
  agreed(): Promise<void>;
  /** How many failed hand-overs to payments holds has logged. */
  failedHandOvers(): number;
}

export interface StackUnderTestOptions extends Pick<StackOptions, 'env' | 'replicas' | 'telemetry' | 'hasOtherBank'> {
  /** True: its own broker, about 6 s, which can be killed. */
  ownBroker?: boolean;
  /** True: its own Postgres, about 2 s, which can be paused. */
  ownPostgres?: boolean;
}

/** Shorter than 8 s, so that a bank that never answers costs less time; much longer than the 2 s of the slow card. */
export const BANK_CALL_TIMEOUT_MS = 5_000;
/** On a machine that stands still for a second, a running bank would count as unreachable. */
const connecting = { BANK_CONNECT_TIMEOUT_MS: '30000' };
const patience = { BANK_CALL_TIMEOUT_MS: String(BANK_CALL_TIMEOUT_MS), ...connecting };
/** Spans are sent every 5 s otherwise. */
const spansAtOnce = { OTEL_BSP_SCHEDULE_DELAY: '200' };

const patientEnv = (env: NonNullable<StackOptions['env']>) => ({
  ...env,
  gateway: { ...spansAtOnce, ...env.gateway },
  payments: { ...spansAtOnce, ...patience, ...env.payments },
  holds: { ...spansAtOnce, ...patience, ...env.holds },
  intents: { ...connecting, ...env.intents },
  reporting: { ...spansAtOnce, ...env.reporting },
  webhooks: { ...spansAtOnce, ...env.webhooks },
  bank: { ...spansAtOnce, ...env.bank },
});

export function stackUnderTest({
  ownBroker = false,
  ownPostgres = false,
  env = {},
  ...options
}: StackUnderTestOptions = {}): StackUnderTest {
  let up: { stack: Stack; broker: BrokerSwitch; postgres: PostgresSwitch } | undefined;
  let closeProxy = async () => {};
  const databases = new Map<ServiceName, Database>();
  const whenUp = () => {
    if (up === undefined) throw new Error('the stack is not up');
    return up;
  };
  beforeAll(async () => {
    // Stories read the spans from the stack's own file.
    delete process.env['OTEL_EXPORTER_OTLP_ENDPOINT'];
    // A broker named by an address is not ours to kill.
    const servers = ownBroker && !process.env['AMQP_URL'] ? serversWithoutBroker() : await serversBehindSwitch();
    const database = ownPostgres ? await serversWithPausablePostgres(servers.running) : undefined;
    closeProxy = database?.close ?? closeProxy;
    const stack = await startStack({
      servers: database?.running ?? servers.running,
      ...options,
      checked: true,
      env: patientEnv(env),
    });
    const postgres = database?.postgresOf(stack.servers) ?? stack.servers.postgres;
    up = { stack, broker: servers.brokerOf(stack.servers), postgres };
  }, 300_000);
  afterAll(async () => {
    await Promise.all([...databases.values()].map((database) => database.close()));
    if (ownPostgres) await up?.postgres.resume();
    await up?.broker.start();
    await up?.stack.stop();
    await up?.broker.stop();
    await closeProxy();
    expect(up === undefined ? [] : brokenContractsOf(up.stack)).toEqual([]);
  });
  const logOf = (file: string) => readFileSync(join(whenUp().stack.logFolder, file), 'utf8');
  const db = (service: ServiceName) => {
    const database =
      databases.get(service) ?? openPatiently({ url: whenUp().stack.databaseUrl, schema: service, max: 8 });
    databases.set(service, database);
    return database;
  };
  return {
    stack: () => whenUp().stack,
    postgres: { pause: () => whenUp().postgres.pause(), resume: () => whenUp().postgres.resume() },
    broker: { stop: () => whenUp().broker.stop(), start: () => whenUp().broker.start() },
    merchant: (apiKey) => createClient(whenUp().stack.baseUrl, apiKey ?? whenUp().stack.merchants.apiKey),
    partner: (apiKey) => createClient(whenUp().stack.partnerBaseUrl, apiKey ?? whenUp().stack.merchants.partnerApiKey),
    developer: developerReader(() => whenUp().stack),
    db,
    agreed: () =>
      untilAgreed({
        bankUrl: whenUp().stack.bankUrl,
        others: whenUp().stack.otherBanks,
        payments: db('payments'),
        holds: db('holds'),
        intents: db('intents'),
        reporting: db('reporting'),
      }),
    failedHandOvers: () => failedHandOvers(logOf('holds.log')),
  };
}
