import { openBank } from '@cobro/bank/bank-client.ts';
import { inquiryCalls } from '@cobro/bank/bank-permits.ts';
import { watchBank } from '@cobro/bank/bank-watch.ts';
import { createJournal, type DueOperation, type Journal, type JournalOptions } from '@cobro/bank/journal.ts';
import { countOpen, UNKNOWN_TOO_LONG_MINUTES } from '@cobro/bank/resolution.store.ts';
import { createVault, type Vault } from '@cobro/bank/vault.ts';
import { gaugeOf } from '@cobro/metrics/instruments.ts';
import { type Database, openDatabase } from '@cobro/postgres/database.ts';
import type { bankConfig, serviceConfig } from '@cobro/service-kit/config.ts';
import { startFlow } from '@cobro/service-kit/flow.ts';
import { type Job, startJob } from '@cobro/service-kit/job.ts';
import type { Log } from '@cobro/service-kit/log.ts';
import type { z } from 'zod';
import { BACKGROUND_CONNECTIONS, JOURNAL_CONNECTIONS } from './connections.ts';
import type { ServiceDefinition } from './definition.ts';
import type { Parts } from './open-parts.ts';

/** What only the service itself knows of its journal. */
export type OwnJournalOptions = Pick<JournalOptions, 'settlers' | 'handOver'>;

/** The vault and the journal of a service that uses the bank, and the frame's part in them. Other services get none of it. */
export function openAtTheBank<D extends ServiceDefinition>(definition: D, { env, db, outbox, log }: Parts<D>) {
  let journal: Recovered | undefined;
  const bankEnv = env as unknown as BankEnvironment;
  const { BANK_URL, BANK_TOKEN, HTTPS_PROXY, BANK_CONNECT_TIMEOUT_MS, BANK_CALL_TIMEOUT_MS, BANK_CALLS } = bankEnv;
  const bounds = {
    perCard: bankEnv.BANK_CALLS_PER_CARD,
    perMerchant: bankEnv.BANK_CALLS_PER_MERCHANT,
    perService: BANK_CALLS,
  };
  const bank = definition.usesBank
    ? watchBank(
        openBank({
          url: BANK_URL,
          token: BANK_TOKEN,
          proxyUrl: HTTPS_PROXY,
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
  const openJournal = ({ settlers, handOver }: OwnJournalOptions): Journal => {
    if (bank === undefined || journalDb === undefined || backgroundDb === undefined) {
      throw new Error(`${definition.name} keeps no journal`);
    }
    const opened = createJournal({
      claimDb: db,
      db: journalDb,
      backgroundDb,
      bank,
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
    if (bank === undefined) throw new Error(`${definition.name} does not use the bank`);
    return createVault({ bank, bounds, callTimeoutMs: BANK_CALL_TIMEOUT_MS });
  };
  return {
    databases: [journalDb, backgroundDb].filter((own) => own !== undefined),
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

type Recovered = Pick<Journal, 'takeDue' | 'inquire' | 'settleResolved' | 'isBankAway' | 'finish'>;

function startRecovery({ takeDue: take, inquire, settleResolved, isBankAway: isPaused }: Recovered, log: Log): Job[] {
  const work = async (operation: DueOperation) => ((await inquire(operation)) === 'refused' ? 'refused' : 'done');
  return [
    startFlow({ name: 'recover-operations', everyMs: 1_000, log, ...inquiryCalls, isPaused, take, work }),
    startJob({ name: 'settle-resolutions', everyMs: 1_000, log, run: settleResolved }),
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
