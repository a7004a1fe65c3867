import { type Broker, openBroker } from '@cobro/events/broker.ts';
import { createEventSigner } from '@cobro/events/event-signature.ts';
import { type Outbox, openOutbox } from '@cobro/events/outbox.ts';
import { gaugeOf } from '@cobro/metrics/instruments.ts';
import { type Database, openDatabase } from '@cobro/postgres/database.ts';
import { countNamed } from '@cobro/postgres/sql.ts';
import { type bankConfig, type doorConfig, loadConfig, type serviceConfig } from '@cobro/service-kit/config.ts';
import { createTokenSigner, type TokenSigner } from '@cobro/service-kit/internal-token.ts';
import { createLog, type Log } from '@cobro/service-kit/log.ts';
import type { OwnTls } from '@cobro/service-kit/own-certificate.ts';
import type { z } from 'zod';
import { configOf, type ServiceDefinition } from './definition.ts';

type OwnConfig<D extends ServiceDefinition> = z.output<z.ZodObject<D['config']>>;
type FrameConfig<D extends ServiceDefinition> = z.output<
  z.ZodObject<D extends { isDoor: true } ? typeof doorConfig : typeof serviceConfig>
> &
  (D extends { usesBank: true } ? z.output<z.ZodObject<typeof bankConfig>> : object);

/** What every service has, the door included. */
export interface Parts<D extends ServiceDefinition> {
  env: OwnConfig<D> & FrameConfig<D>;
  log: Log;
  db: Database;
  broker: Broker;
  outbox: Outbox;
  sign: TokenSigner;
  /** Set if our processes speak TLS with each other. */
  tls: OwnTls | undefined;
}

/**
 * Reads the environment and opens what every service has. If the environment is wrong, the process says so in a sentence and
 * exits with 78.
 */
export function openParts<D extends ServiceDefinition>(definition: D): Parts<D> {
  const { name } = definition;
  const env = loadConfig(configOf(definition)) as Parts<D>['env'];
  const frame = env as z.output<z.ZodObject<typeof doorConfig>>;
  const log = createLog({ service: name, level: frame.LOG_LEVEL });
  const url = frame.DATABASE_URL.reveal();
  const db = openDatabase({ url, schema: name });
  gaugeOf('cobro.postgres.statements', async () => countNamed());
  const broker = openBroker({ url: frame.AMQP_URL.reveal(), prefix: frame.EVENTS_PREFIX, name, log });
  return {
    env,
    log,
    db,
    broker,
    outbox: openOutbox({ db, url, schema: name, broker, sign: createEventSigner(frame.INTERNAL_SIGNING_KEY), log }),
    sign: createTokenSigner(frame.INTERNAL_SIGNING_KEY),
    tls:
      frame.TLS_FOLDER === undefined
        ? undefined
        : { folder: frame.TLS_FOLDER, required: frame.TLS_REQUIRED === 'true' },
  };
}
