import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setFaults } from './bank-faults.ts';
import { type BankOperation, bankOperations } from './bank-operations.ts';
import { freePort } from './free-port.ts';
import { testProcess } from './test-process.ts';

/** A fault setting under which every inquiry gets a 500. What is open stays open until faults are set anew. */
export const unansweredInquiries = { rates: { error: 1 }, kinds: ['inquire'] };

/** The bank simulator as a process of its own, on a ledger of its own. */
export interface RunningBank {
  url: string;
  /** Kills the bank, as a crash would. `start` brings it up again on the same port and ledger. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Sets what goes wrong from now on. `faults` is the body of the bank's `PUT /faults`; `{}` is no fault. */
  setFaults(faults: object): Promise<void>;
  /** What the bank says of the operation with this key: in_progress, not_found, approved or declined. */
  outcomeOf(idempotencyKey: string): Promise<string | undefined>;
  /** The bank's books, oldest first. */
  operations(): Promise<BankOperation[]>;
  /** Changes the books behind the bank's back: kills it, runs these SQL statements on its ledger, and starts it again. */
  falsify(statements: string): Promise<void>;
  /** Ends the bank and removes its ledger. */
  close(): Promise<void>;
}

/** Starts a bank. `env` is added to its environment, for instance CLOCK_URL. */
export async function startBank(env: Record<string, string> = {}): Promise<RunningBank> {
  const bank = bankOn(await freePort(), env);
  await bank.start();
  return bank;
}

/** A bank that is still to be started. */
export function bankOn(port: number, env: Record<string, string>): RunningBank {
  const folder = mkdtempSync(join(tmpdir(), 'cobro-bank-'));
  const ledgerPath = join(folder, 'ledger.sqlite');
  const url = `http://127.0.0.1:${port}`;
  const { start, kill } = testProcess({
    main: 'simulators/bank/src/main.ts',
    url,
    env: {
      HOST: '127.0.0.1',
      PORT: String(port),
      LEDGER_PATH: ledgerPath,
      DRAIN_DELAY_MS: '0',
      ...env,
    },
  });
  return {
    url,
    kill,
    start,
    setFaults: (faults) => setFaults(url, faults),
    outcomeOf: async (idempotencyKey) => {
      const body = JSON.stringify({ idempotencyKey, close: false });
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${url}/v1/inquiries`, { method: 'POST', headers, body });
      return ((await answer.json()) as { outcome?: string }).outcome;
    },
    operations: () => bankOperations(url),
    falsify: async (statements) => {
      await kill();
      const ledger = new DatabaseSync(ledgerPath);
      ledger.exec(statements);
      ledger.close();
      await start();
    },
    close: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
