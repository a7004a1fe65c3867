import { openBank } from '@cobro/bank/bank-client.ts';
import { inquiryCalls } from '@cobro/bank/bank-places.ts';
import { watchBank } from '@cobro/bank/bank-watch.ts';
import { createJournal, type DueOperation, type Journal, type JournalOptions } from '@cobro/bank/journal.ts';
import { pruneNotSent } from '@cobro/bank/prune-not-sent.ts';
import { countOpen, UNKNOWN_TOO_LONG_MINUTES } from '@cobro/bank/resolution.store.ts';
import { createVault, type Vault } from '@cobro/bank/vault.ts';
import type { Envelope } from '@cobro/contracts/events.ts';
import { eventHandlers, type HandlersFor } from '@cobro/events/event-handlers.ts';
import { pruneInbox } from '@cobro/events/prune-inbox.ts';
import { subscribe, type Subscription } from '@cobro/events/subscribe.ts';
import { gaugeOf } from '@cobro/metrics/instruments.ts';
import { type Database, openDatabase } from '@cobro/postgres/database.ts';
import { type Clock, openClock } from '@cobro/service-kit/clock.ts';
import type { bankConfig, serviceConfig } from '@cobro/service-kit/config.ts';
import { type Degradation, measureDegradation } from '@cobro/service-kit/degradation.ts';
import { createHttpApp } from '@cobro/service-kit/http-app.ts';
import { createTokenVerifier } from '@cobro/service-kit/internal-token.ts';
import { startFlow } from '@cobro/service-kit/flow.ts';
import { type Job, startJob } from '@cobro/service-kit/job.ts';
import type { Log } from '@cobro/service-kit/log.ts';
import { runService } from '@cobro/service-kit/run-service.ts';
import type { ServedRoute } from '@cobro/service-kit/serve-route.ts';
import { openServiceClient, type ServiceClient } from '@cobro/service-kit/service-client.ts';
import type { z } from 'zod';
import { BACKGROUND_CONNECTIONS, JOURNAL_CONNECTIONS } from './connections.ts';
import { type ServiceDefinition, urlVariable } from './definition.ts';
import { createHandOvers, type Tell } from './hand-over.ts';
import { openParts, type Parts } from './open-parts.ts';
import { receiveHandOvers } from './receive-hand-over.ts';
import { openUnderWay } from './under-way.ts';

/** What a service behind the gateway has as well. */
export interface FramedParts<D extends ServiceDefinition> extends Parts<D> {
  clock: Clock;
  /** Clients of the services that the definition names. */
  clients: Readonly<Record<D['calls'][number], ServiceClient>>;
  /** Registers a function that closes what the service itself opened. The function runs after the last answer. */
  atEnd: (close: () => void | Promise<void>) => void;
  /** Registers a function that runs as soon as the process is asked to end, while requests still come in. */
  atDrain: (stopWaiting: () => void) => void;
  /** Runs work that no request waits for. The frame waits for it at the end, and logs its failure. */
  inBackground: (work: () => Promise<void>) => void;
  /** Gives events, after their commit, to the services that `tell` names. The broker delivers them as well (ADR 4). */
  openHandOver: (tell: Tell<D['calls'][number]>) => (events: Envelope[]) => Promise<void>;
  /** Opens the bank's vault, for a service that uses the bank and moves no money. */
  openVault: () => Vault;
  /**
   * Opens the journal; a service that keeps one calls this once. The frame runs the journal's recovery and waits for its
   * calls at the end.
   */
  openJournal: <Row>(options: OwnJournalOptions<D, Row>) => Journal<Row>;
}

export interface OwnJournalOptions<D extends ServiceDefinition, Row> {
  settle: JournalOptions<Row>['settle'];
  /** The service that gets an event before the answer goes out. The broker delivers the event as well (ADR 4). */
  tell: Tell<D['calls'][number]>;
}

/** What only the service itself knows. The rest follows from its definition. */
export interface Program<D extends ServiceDefinition, Deps> {
  open: (parts: FramedParts<D>) => Deps | Promise<Deps>;
  routes: readonly ServedRoute<Deps>[];
  handlers: (deps: Deps) => HandlersFor<D['follows'][number]>;
  jobs?: readonly TimedWork<Deps>[];
  /** Timed work of which a fixed number is under way. Each starts a flow. */
  flows?: readonly ((deps: Deps) => Job)[];
}

/** Runs in every replica: again at once while it returns more than 0, otherwise after `everyMs` of real time. */
export interface TimedWork<Deps> {
  name: string;
  everyMs: number;
  run: (deps: Deps) => Promise<number>;
}

const HOUR_MS = 3_600_000;
/** Longer than anything stays parked. An event that comes again even later finds its effect in the tables and changes nothing. */
const KEEP_INBOX_DAYS = 30;
/** Long enough to look into an outage of the bank. */
const KEEP_NOT_SENT_DAYS = 7;

/**
 * Opens a service, serves until SIGTERM or SIGINT, and closes it, in the one right order: jobs and consumers end while requests
 * are still answered; calls to the bank end before the outbox sends what they committed; the database is closed last.
 */
export async function runFramed<D extends ServiceDefinition, Deps>(definition: D, program: Program<D, Deps>) {
  const parts = openParts(definition);
  const { log, db, broker, outbox } = parts;
  const env = parts.env as unknown as z.output<z.ZodObject<typeof serviceConfig>>;
  const clock = await openClock(env.CLOCK_URL);
  const clients = openClients(definition, parts);
  const openHandOver: FramedParts<D>['openHandOver'] = (tell) => createHandOvers({ clients, log, tell });
  const atTheBank = openAtTheBank(definition, parts, openHandOver);
  const own: (() => void | Promise<void>)[] = [];
  const waiting: (() => void)[] = [];
  const background = openBackground(log);
  const underWay = openUnderWay();
  const deps = await program.open({
    ...parts,
    clock,
    clients,
    atEnd: (close) => void own.push(close),
    atDrain: (stopWaiting) => void waiting.push(stopWaiting),
    inBackground: background.run,
    openHandOver,
    openVault: atTheBank.openVault,
    openJournal: atTheBank.openJournal,
  });
  const handlers = eventHandlers(program.handlers(deps));
  const following = definition.follows.length > 0;
  const subscription = following ? subscribe({ broker, db, queue: definition.name, handlers, log }) : undefined;
  const work: TimedWork<Deps>[] = [
    ...(program.jobs ?? []),
    { name: 'prune-inbox', everyMs: HOUR_MS, run: () => pruneInbox(db, KEEP_INBOX_DAYS) },
    ...(definition.keepsJournal
      ? [{ name: 'prune-not-sent', everyMs: HOUR_MS, run: () => pruneNotSent(db, KEEP_NOT_SENT_DAYS) }]
      : []),
  ];
  const jobs = [
    ...work.map(({ name, everyMs, run }) => startJob({ name, everyMs, log, run: () => run(deps) })),
    ...(program.flows ?? []).map((start) => start(deps)),
    ...atTheBank.startFlows(),
  ];
  const routes = following ? [...program.routes, ...receiveHandOvers<Deps>(db, handlers)] : program.routes;
  const ready = () => degradationsOf(db, subscription, atTheBank.isAway());
  measureDegradation(ready);
  const app = createHttpApp({
    service: definition.name,
    log,
    clock,
    verifyToken: await createTokenVerifier(env.INTERNAL_VERIFY_KEYS, definition.name),
    ready,
    routes: routes.map(underWay.follow),
    deps,
  });
  await runService({
    log,
    listeners: [{ app, host: env.HOST, port: env.PORT }],
    drainDelayMs: env.DRAIN_DELAY_MS,
    atDrain: () => waiting.forEach((stopWaiting) => stopWaiting()),
    beforeClose: async () => void (await Promise.all([subscription?.stop(), ...jobs.map((job) => job.stop())])),
    afterClose: async () => {
      for (const it of [underWay, background, atTheBank]) await it.finish();
      await Promise.all(own.map(async (close) => close()));
      await outbox.stop();
      await Promise.all([
        broker.close(),
        atTheBank.close(),
        ...Object.values<ServiceClient>(clients).map((client) => client.close()),
      ]);
      await db.close();
    },
  });
}

/** A service is ready without the broker, because events wait there until it is back. */
async function degradationsOf(
  db: Database,
  subscription: Subscription | undefined,
  isBankAway: boolean,
): Promise<Degradation[]> {
  const { readOnly } = await db.ping();
  return [
    ...(readOnly ? (['database_read_only'] as const) : []),
    ...(subscription?.isWaiting() === true ? (['events_wait'] as const) : []),
    ...(isBankAway ? (['bank_away'] as const) : []),
  ];
}

function openClients<D extends ServiceDefinition>(definition: D, { env, sign }: Parts<D>): FramedParts<D>['clients'] {
  const addresses = env as Record<string, unknown>;
  const open = (service: string) => {
    const baseUrl = String(addresses[urlVariable(service)]);
    return [service, openServiceClient({ baseUrl, service: definition.name, to: service, sign })];
  };
  return Object.fromEntries(definition.calls.map(open)) as FramedParts<D>['clients'];
}

function openBackground(log: Parts<ServiceDefinition>['log']) {
  const running = new Set<Promise<void>>();
  return {
    run: (work: () => Promise<void>): void => {
      const done = work()
        .catch((error: unknown) => log.error({ error, event: 'background_failed' }, 'work in the background failed'))
        .finally(() => running.delete(done));
      running.add(done);
    },
    finish: async () => {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

/** The vault and the journal of a service that uses the bank, and the frame's part in them. Other services get none of it. */
function openAtTheBank<D extends ServiceDefinition>(
  definition: D,
  { env, outbox, log }: Parts<D>,
  openHandOver: FramedParts<D>['openHandOver'],
) {
  let journal: Recovered | undefined;
  const bankEnv = env as unknown as BankEnvironment;
  const { BANK_URL, BANK_CONNECT_TIMEOUT_MS, BANK_CALL_TIMEOUT_MS, BANK_CALLS } = bankEnv;
  const bounds = {
    perCard: bankEnv.BANK_CALLS_PER_CARD,
    perMerchant: bankEnv.BANK_CALLS_PER_MERCHANT,
    perService: BANK_CALLS,
  };
  const bank = definition.usesBank
    ? watchBank(
        openBank({
          url: BANK_URL,
          connections: BANK_CALLS,
          connectTimeoutMs: BANK_CONNECT_TIMEOUT_MS,
          callTimeoutMs: BANK_CALL_TIMEOUT_MS,
        }),
        log,
      )
    : undefined;
  // Settlements have connections of their own. Behind waiting requests they could not write down in time what the bank approved.
  const openOwn = (max: number) =>
    definition.keepsJournal
      ? openDatabase({ url: bankEnv.DATABASE_URL.reveal(), schema: definition.name, max })
      : undefined;
  const journalDb = openOwn(JOURNAL_CONNECTIONS);
  const backgroundDb = openOwn(BACKGROUND_CONNECTIONS);
  const openJournal = <Row>({ settle, tell }: OwnJournalOptions<D, Row>): Journal<Row> => {
    if (bank === undefined || journalDb === undefined || backgroundDb === undefined) {
      throw new Error(`${definition.name} keeps no journal`);
    }
    const handOver = openHandOver(tell);
    const opened = createJournal({
      db: journalDb,
      backgroundDb,
      bank,
      bounds,
      outbox,
      settle,
      handOver,
      callTimeoutMs: BANK_CALL_TIMEOUT_MS,
      log,
    });
    journal = opened;
    return opened;
  };
  const openVault = (): Vault => {
    if (bank === undefined) throw new Error(`${definition.name} does not use the bank`);
    return createVault({ bank, bounds, callTimeoutMs: BANK_CALL_TIMEOUT_MS });
  };
  return {
    openJournal,
    openVault,
    isAway: () => bank?.isAway() ?? false,
    /** Asks the bank about operations whose outcome is not known. */
    startFlows: (): Job[] => {
      if (journal === undefined || backgroundDb === undefined) return [];
      measureOpen(backgroundDb, BANK_CALL_TIMEOUT_MS);
      return startRecovery(journal, log);
    },
    finish: async () => journal?.finish(),
    close: async () => void (await Promise.all([bank?.close(), journalDb?.close(), backgroundDb?.close()])),
  };
}

type Recovered = Pick<Journal<unknown>, 'takeDue' | 'inquire' | 'settleTold' | 'isBankAway' | 'finish'>;

function startRecovery({ takeDue: take, inquire, settleTold, isBankAway: isPaused }: Recovered, log: Log): Job[] {
  const work = async (operation: DueOperation) => ((await inquire(operation)) === 'refused' ? 'refused' : 'done');
  return [
    startFlow({ name: 'recover-operations', everyMs: 1_000, log, ...inquiryCalls, isPaused, take, work }),
    startJob({ name: 'settle-resolutions', everyMs: 1_000, log, run: settleTold }),
  ];
}

/** What may pass between the end of a call's time and its settlement before the outcome counts as not known. */
const SETTLED_WITHIN_MS = 5_000;

function measureOpen(db: Database, callTimeoutMs: number): void {
  const minutes = (callTimeoutMs + SETTLED_WITHIN_MS) / 60_000;
  gaugeOf('cobro.operations.open', () => countOpen(db, minutes));
  gaugeOf('cobro.operations.unknown', () => countOpen(db, UNKNOWN_TOO_LONG_MINUTES));
}

type BankEnvironment = z.output<z.ZodObject<typeof bankConfig & typeof serviceConfig>>;
