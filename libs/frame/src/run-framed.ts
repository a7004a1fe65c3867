import { createInFlight, type InFlight } from '@cobro/async/in-flight.ts';
import type { Journal } from '@cobro/bank/journal.ts';
import { pruneNotSent } from '@cobro/bank/prune-not-sent.ts';
import type { Vault } from '@cobro/bank/vault.ts';
import type { Envelope } from '@cobro/contracts/events.ts';
import { eventHandlers, type HandlersFor } from '@cobro/events/event-handlers.ts';
import { createSignatureCheck } from '@cobro/events/event-signature.ts';
import { type ReceiveEvents, receiveInto } from '@cobro/events/inbox.ts';
import { pruneInbox } from '@cobro/events/prune-inbox.ts';
import { subscribe, type Subscription } from '@cobro/events/subscribe.ts';
import type { Database } from '@cobro/postgres/database.ts';
import { type Clock, openClock } from '@cobro/service-kit/clock.ts';
import type { serviceConfig } from '@cobro/service-kit/config.ts';
import { type Degradation, measureDegradation, type Readiness } from '@cobro/service-kit/degradation.ts';
import { createHttpApp } from '@cobro/service-kit/http-app.ts';
import { createTokenVerifier } from '@cobro/service-kit/internal-token.ts';
import { type Job, startJob } from '@cobro/service-kit/job.ts';
import { type Listener, runService } from '@cobro/service-kit/run-service.ts';
import type { ServedRoute } from '@cobro/service-kit/serve-route.ts';
import { openServiceClient, type ServiceClient } from '@cobro/service-kit/service-client.ts';
import type { z } from 'zod';
import { openAtTheBank, type OwnJournalOptions } from './at-the-bank.ts';
import { type ServiceDefinition, urlVariable } from './definition.ts';
import { createHandOvers, type Missed, type Followers } from './hand-over.ts';
import { openParts, type Parts } from './open-parts.ts';
import { type OwnConnections, type Reads, readsOf } from './open-reads.ts';
import { receiveHandOvers } from './receive-hand-over.ts';

/** What only services behind the gateway have. */
export interface FramedParts<D extends ServiceDefinition> extends Parts<D> {
  clock: Clock;
  /** Clients of the services that the definition names. */
  clients: Readonly<Record<D['calls'][number], ServiceClient>>;
  /** Registers a function that closes what the service itself opened. The function runs after the last answer. */
  atEnd: (close: () => void | Promise<void>) => void;
  /** Registers a function that runs as soon as the process is asked to end, while requests still come in. */
  atDrain: (stopWaiting: () => void) => void;
  /** Says what the process cannot do while `is` is true, in `/health/ready` and in `cobro.degraded`. */
  degradedWhile: (reason: Degradation, is: () => boolean) => void;
  /** Runs work that no request waits for. The frame waits for it at the end, and logs its failure. */
  inBackground: (work: () => Promise<unknown>) => void;
  /**
   * Gives events, after their commit, to the services that `followers` names; the broker delivers them too (ADR 4). `missed` is
   * called with each that could not be handed over.
   */
  openHandOver: (followers: Followers<D['calls'][number]>, missed?: Missed) => (events: Envelope[]) => Promise<boolean>;
  /** Opens connections for lists and other reads, which the definition names. The frame closes them. */
  openReads: (of: OwnConnections<D>) => Reads;
  /** Opens the bank's vault, for a service that uses the bank and moves no money. */
  openVault: () => Vault;
  /**
   * Opens the journal; a service that keeps one calls this once. The frame runs its recovery and waits for its calls at the end.
   */
  openJournal: (options: OwnJournalOptions) => Journal;
}

/** What only the service itself knows. The rest follows from its definition. */
export type Program<D extends ServiceDefinition, Deps> = Follower<D, Deps> & {
  open: (parts: FramedParts<D>) => Deps | Promise<Deps>;
  routes: readonly ServedRoute<Deps>[];
  /** Listeners besides the one that every service has. */
  listeners?: (deps: Deps) => readonly Listener[];
  jobs?: readonly TimedWork<Deps>[];
  /** Timed work with a fixed number of items under way. Each starts a flow. */
  flows?: readonly ((deps: Deps) => Job)[];
};

/** Applies each event by its handler, or receives whole batches itself. To the latter no service hands events over. */
type Follower<D extends ServiceDefinition, Deps> =
  | { handlers: (deps: Deps) => HandlersFor<D['follows'][number]>; receive?: never }
  | { receive: (deps: Deps) => ReceiveEvents; handlers?: never };

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
 * Opens a service, serves until SIGTERM or SIGINT, and closes it in the one right order: jobs and consumers end while requests
 * are still answered; calls to the bank end before the outbox sends what they committed; the database is closed last.
 */
export async function runFramed<D extends ServiceDefinition, Deps>(definition: D, program: Program<D, Deps>) {
  const parts = openParts(definition);
  const { log, db, broker, outbox } = parts;
  const env = parts.env as unknown as z.output<z.ZodObject<typeof serviceConfig>>;
  const clock = await openClock(env.CLOCK_URL);
  const clients = openClients(definition, parts);
  const atTheBank = openAtTheBank(definition, parts);
  const own: (() => void | Promise<void>)[] = [];
  const reads: Database[] = [];
  const waiting: (() => void)[] = [];
  const impaired: Impairment[] = [['bank_away', atTheBank.isAway]];
  const underWay = createInFlight();
  const logFailed = (error: unknown) =>
    log.error({ error, event: 'background_failed' }, 'work in the background failed');
  const deps = await program.open({
    ...parts,
    clock,
    clients,
    atEnd: (close) => void own.push(close),
    atDrain: (stopWaiting) => void waiting.push(stopWaiting),
    degradedWhile: (reason, is) => void impaired.push([reason, is]),
    inBackground: (work) => void underWay.add(work().catch(logFailed)),
    openHandOver: (followers, missed) => createHandOvers({ clients, log, followers, missed }),
    openReads: readsOf(definition, env.DATABASE_URL.reveal(), reads),
    openVault: atTheBank.openVault,
    openJournal: atTheBank.openJournal,
  });
  const { subscription, handOvers } = follow(definition, parts, program, deps);
  const jobs = [
    ...[...(program.jobs ?? []), ...pruning(definition, db)].map(({ name, everyMs, run }) =>
      startJob({ name, everyMs, log, run: () => run(deps) }),
    ),
    ...(program.flows ?? []).map((start) => start(deps)),
    ...atTheBank.startFlows(),
  ];
  const ready = readinessOf(db, [...reads, ...atTheBank.databases], subscription, impaired);
  measureDegradation(ready);
  const app = createHttpApp({
    service: definition.name,
    log,
    clock,
    verifyToken: await createTokenVerifier(env.INTERNAL_VERIFY_KEYS, definition.name),
    ready,
    routes: [...program.routes, ...handOvers].map((served) => followed(served, underWay)),
    deps,
  });
  await runService({
    log,
    listeners: [{ app, host: env.HOST, port: env.PORT }, ...(program.listeners?.(deps) ?? [])],
    tls: parts.tls,
    drainDelayMs: env.DRAIN_DELAY_MS,
    atDrain: () => waiting.forEach((stopWaiting) => stopWaiting()),
    beforeClose: async () => void (await Promise.all([subscription?.stop(), ...jobs.map((job) => job.stop())])),
    afterClose: async () => {
      await underWay.idle();
      await atTheBank.finish();
      await Promise.all([...own, ...reads.map((database) => database.close)].map(async (close) => close()));
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

/** Subscribes to the service's queue, whose events are believed if their producer has signed them. */
function follow<D extends ServiceDefinition, Deps>(
  { name: queue, follows, gathersMs: gatherMs }: D,
  { broker, db, log, env }: Parts<D>,
  program: Program<D, Deps>,
  deps: Deps,
): { subscription?: Subscription; handOvers: readonly ServedRoute<Deps>[] } {
  if (follows.length === 0) return { handOvers: [] };
  const { INTERNAL_VERIFY_KEYS: keys } = env as unknown as z.output<z.ZodObject<typeof serviceConfig>>;
  const options = { broker, queue, checkSignature: createSignatureCheck(keys), gatherMs, log };
  if (program.receive !== undefined) {
    return { subscription: subscribe({ ...options, receive: program.receive(deps) }), handOvers: [] };
  }
  const handlers = eventHandlers(program.handlers(deps));
  const subscription = subscribe({ ...options, receive: receiveInto(db, handlers) });
  return { subscription, handOvers: receiveHandOvers<Deps>(db, handlers) };
}

function pruning({ keepsJournal }: ServiceDefinition, db: Database): TimedWork<unknown>[] {
  const inbox = { name: 'prune-inbox', everyMs: HOUR_MS, run: () => pruneInbox(db, KEEP_INBOX_DAYS) };
  const notSent = { name: 'prune-not-sent', everyMs: HOUR_MS, run: () => pruneNotSent(db, KEEP_NOT_SENT_DAYS) };
  return keepsJournal ? [inbox, notSent] : [inbox];
}

type Impairment = readonly [Degradation, is: () => boolean];

/**
 * A service is ready without the broker, because its events wait, but not before each of its pools has a connection: on a full
 * machine the first requests would wait too long for one.
 */
function readinessOf(
  db: Database,
  others: readonly Database[],
  subscription: Subscription | undefined,
  impaired: readonly Impairment[],
): Readiness {
  const unconnected = new Set(others);
  const connect = async (other: Database) => {
    await other.ping();
    unconnected.delete(other);
  };
  return async () => {
    const [{ readOnly, clocksDiffer }] = await Promise.all([db.ping(), ...[...unconnected].map(connect)]);
    return [
      ...(readOnly ? (['database_read_only'] as const) : []),
      ...(clocksDiffer ? (['clock_wrong'] as const) : []),
      ...(subscription?.isWaiting() === true ? (['events_wait'] as const) : []),
      ...impaired.filter(([, is]) => is()).map(([reason]) => reason),
    ];
  };
}

function openClients<D extends ServiceDefinition>(
  definition: D,
  { env, sign, tls }: Parts<D>,
): FramedParts<D>['clients'] {
  const addresses = env as Record<string, unknown>;
  const open = (service: string) => {
    const baseUrl = String(addresses[urlVariable(service)]);
    return [service, openServiceClient({ baseUrl, service: definition.name, to: service, sign, tls })];
  };
  return Object.fromEntries(definition.calls.map(open)) as FramedParts<D>['clients'];
}

/**
 * A use case goes on when its caller has left. A process that ends waits for it before it closes its databases: otherwise it
 * could claim a charge that is never sent.
 */
const followed = <Deps>({ contract, useCase }: ServedRoute<Deps>, underWay: InFlight): ServedRoute<Deps> => ({
  contract,
  useCase: (deps, input) => underWay.add(useCase(deps, input)),
});
