import { type Acquirers, acquirersOf } from '@cobro/bank/acquirers.ts';
import { openBank } from '@cobro/bank/bank-client.ts';
import { inquiryCalls } from '@cobro/bank/bank-permits.ts';
import { watchBank } from '@cobro/bank/bank-watch.ts';
import { createJournal, type DueOperation, type Journal, type JournalOptions } from '@cobro/bank/journal.ts';
import { countOpen, UNKNOWN_TOO_LONG_MINUTES } from '@cobro/bank/resolution.store.ts';
import { createVault, type Vault } from '@cobro/bank/vault.ts';
import { gaugeOf } from '@cobro/metrics/instruments.ts';
import { type Database, openDatabase } from '@cobro/postgres/database.ts';
import { acquirerAddresses } from '@cobro/service-kit/acquirers-config.ts';
import type { bankConfig, serviceConfig } from '@cobro/service-kit/config.ts';
import { startFlow } from '@cobro/service-kit/flow.ts';
import { type Job, startJob } from '@cobro/service-kit/job.ts';
import type { Log } from '@cobro/service-kit/log.ts';
import type { z } from 'zod';
import { BACKGROUND_CONNECTIONS, JOURNAL_CONNECTIONS } from './connections.ts';
import type { ServiceDefinition } from './definition.ts';
import type { Parts } from './open-parts.ts';

/** The journal options that only the service itself knows. */
export type OwnJournalOptions = Pick<JournalOptions, 'settlers' | 'handOver'>;

/** The vault and the journal of a service that uses the bank, and the frame's part in them. Other services get none of it. */
export function openAtTheBank<D extends ServiceDefinition>(definition: D, { env, db, outbox, log }: Parts<D>) {
  let journal: Recovered | undefined;
  const bankEnv = env as unknown as BankEnvironment;
  const { BANK_CALL_TIMEOUT_MS } = bankEnv;
  const bounds = {
    perCard: bankEnv.BANK_CALLS_PER_CARD,
    perMerchant: bankEnv.BANK_CALLS_PER_MERCHANT,
    perService: bankEnv.BANK_CALLS,
  };
  const acquirers = definition.usesBank ? openAcquirers(bankEnv, log) : acquirersOf({});
  // Settlements have their own connections: behind waiting requests they would write down too late what the bank approved.
  const openOwn = (max: number) =>
    definition.keepsJournal
      ? openDatabase({ url: bankEnv.DATABASE_URL.reveal(), schema: definition.name, max })
      : undefined;
  const journalDb = openOwn(JOURNAL_CONNECTIONS);
  const backgroundDb = openOwn(BACKGROUND_CONNECTIONS);
  const openJournal = ({ settlers, handOver }: OwnJournalOptions): Journal => {
    if (journalDb === undefined || backgroundDb === undefined) {
      throw new Error(`${definition.name} keeps no journal`);
    }
    const opened = createJournal({
      claimDb: db,
      db: journalDb,
      backgroundDb,
      acquirers,
      bounds,
      outbox,
      settlers,
      handOver,
      callTimeoutMs: BANK_CALL_TIMEOUT_MS,
      log,
    });
    journal = opened;
    return opened;
  };
  const openVault = (): Vault => {
    if (!definition.usesBank) throw new Error(`${definition.name} does not use the bank`);
    return createVault({ acquirers, bounds, callTimeoutMs: BANK_CALL_TIMEOUT_MS });
  };
  return {
    databases: [journalDb, backgroundDb].filter((own) => own !== undefined),
    openJournal,
    openVault,
    isAway: () => acquirers.names.some((name) => acquirers.of(name).isAway()),
    /** Asks each acquirer about operations whose outcome is not known. */
    startFlows: (): Job[] => {
      if (journal === undefined || backgroundDb === undefined) return [];
      measureOpen(backgroundDb, BANK_CALL_TIMEOUT_MS);
      return startRecovery(journal, log);
    },
    finish: async () => journal?.finish(),
    close: async () => {
      const closing = acquirers.names.map((name) => acquirers.of(name).close());
      await Promise.all([...closing, journalDb?.close(), backgroundDb?.close()]);
    },
  };
}

type Recovered = Pick<Journal, 'acquirers' | 'takeDue' | 'inquire' | 'settleResolved' | 'isAway' | 'finish'>;

/** Each acquirer has connections and a watch of its own, so that a silent one leaves the others whole. */
function openAcquirers(env: BankEnvironment, log: Log): Acquirers {
  const addresses = Object.entries(acquirerAddresses(env));
  return acquirersOf(
    Object.fromEntries(
      addresses.map(([name, { url, token }]) => [
        name,
        watchBank(
          openBank({
            url,
            token,
            proxyUrl: env.HTTPS_PROXY,
            connections: env.BANK_CALLS,
            connectTimeoutMs: env.BANK_CONNECT_TIMEOUT_MS,
            callTimeoutMs: env.BANK_CALL_TIMEOUT_MS,
          }),
          { acquirer: name, isLive: env.KEY_MODE === 'live', log },
        ),
      ]),
    ),
  );
}

function startRecovery({ acquirers, takeDue, inquire, settleResolved, isAway }: Recovered, log: Log): Job[] {
  const work = async (operation: DueOperation) => ((await inquire(operation)) === 'refused' ? 'refused' : 'done');
  const recovering = (acquirer: string) =>
    startFlow({
      name: 'recover-operations',
      everyMs: 1_000,
      log,
      ...inquiryCalls,
      isPaused: () => isAway(acquirer),
      take: (count) => takeDue(acquirer, count),
      work,
    });
  return [
    ...acquirers.map(recovering),
    startJob({ name: 'settle-resolutions', everyMs: 1_000, log, run: settleResolved }),
  ];
}

/** How long after a call's time limit its settlement may take before the operation is measured as open. */
const SETTLED_WITHIN_MS = 5_000;

function measureOpen(db: Database, callTimeoutMs: number): void {
  const minutes = (callTimeoutMs + SETTLED_WITHIN_MS) / 60_000;
  gaugeOf('cobro.operations.open', () => countOpen(db, minutes));
  gaugeOf('cobro.operations.unknown', () => countOpen(db, UNKNOWN_TOO_LONG_MINUTES));
}

type BankEnvironment = z.output<z.ZodObject<typeof bankConfig & typeof serviceConfig>>;
