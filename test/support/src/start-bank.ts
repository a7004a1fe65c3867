import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setFaults } from './bank-faults.ts';
import { bankOperations } from './bank-operations.ts';
import { freePort } from './free-port.ts';
import { testProcess } from './test-process.ts';

/** Every inquiry gets a 500, so what is open stays open until faults are set anew. */
export const unansweredInquiries = { rates: { error: 1 }, kinds: ['inquire'] };

export type RunningBank = ReturnType<typeof bankOn>;

/** Starts a bank. `env` is added to its environment, for instance CLOCK_URL. */
export async function startBank(env: Record<string, string> = {}): Promise<RunningBank> {
  const bank = bankOn(await freePort(), env);
  await bank.start();
  return bank;
}

/** The bank simulator as its own process with its own ledger, not started yet. */
export function bankOn(port: number, env: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'cobro-bank-'));
  const ledgerPath = join(folder, 'ledger.sqlite');
  const url = `http://127.0.0.1:${port}`;
  const { start, kill, terminate, output } = testProcess({
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
    /** The ledger's folder. */
    folder,
    output,
    terminate,
    /** Ends it like a crash. `start` brings it up again on the same port and ledger. */
    kill,
    start: () => start(),
    /** What goes wrong from now on, as the body of the bank's `PUT /faults`; `{}` is no fault. */
    setFaults: (faults: object) => setFaults(url, faults),
    /** The bank's answer about this key: in_progress, not_found, approved or declined. */
    outcomeOf: async (idempotencyKey: string) => {
      const body = JSON.stringify({ idempotencyKey, close: false });
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${url}/v1/inquiries`, { method: 'POST', headers, body });
      return ((await answer.json()) as { outcome?: string }).outcome;
    },
    operations: () => bankOperations(url),
    /** Changes the books behind the bank's back: kills it, runs these SQL statements on its ledger, and starts it again. */
    falsify: async (statements: string) => {
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
