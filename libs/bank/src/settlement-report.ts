import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'undici';
import { z } from 'zod';

const entry = z.object({
  idempotencyKey: z.uuid(),
  kind: z.enum(['tokenize', 'authorize', 'sale', 'capture', 'void', 'refund']),
  /** In centavos. */
  amount: z.int().nullable(),
  outcome: z.enum(['approved', 'declined']),
  reference: z.string(),
  createdAt: z.iso.datetime(),
});
/** What the bank wrote down of an operation. The key is the operation's id. */
export type LedgerEntry = z.output<typeof entry>;

const page = z.object({ asOf: z.iso.datetime().transform((text) => new Date(text)), data: z.array(entry) });

/** The bank does not give its report, or gives something else. */
export class NoSettlementReport extends Error {
  override readonly name = 'NoSettlementReport';
}

const TRIES = 3;
const TIMEOUT_MS = 30_000;

/**
 * A page of the bank's settlement report of a natural day (`2026-11-20`): what moves money, in the order of the keys, after this one.
 * Empty at the end. `asOf` is the bank's time. @throws NoSettlementReport after three tries
 */
export async function readSettlementReport(bank: Pool, day: string, after: string): Promise<z.output<typeof page>> {
  for (let tried = 1; ; tried++) {
    try {
      const path = `/settlement-report?${new URLSearchParams({ day, after }).toString()}`;
      const answer = await bank.request({ method: 'GET', path, signal: AbortSignal.timeout(TIMEOUT_MS) });
      if (answer.statusCode !== 200) throw new Error(`it answered ${answer.statusCode}`);
      return page.parse(await answer.body.json());
    } catch (error) {
      if (tried === TRIES) throw new NoSettlementReport(reasonOf(error), { cause: error });
      await sleep(tried * 200);
    }
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: string; message: string };
  return error instanceof z.ZodError ? 'it is not in its form' : (code ?? message);
}
