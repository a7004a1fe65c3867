import { setTimeout as sleep } from 'node:timers/promises';
import { acquirerRoutes } from '@cobro/contracts/acquirer/routes.ts';
import { settlementReport } from '@cobro/contracts/acquirer/settlement-report.ts';
import { exchange } from '@cobro/service-kit/exchange.ts';
import type { Pool } from 'undici';
import { z } from 'zod';
import { authorizationOf, type BankAddress } from './bank-pool.ts';

export type { Movement } from '@cobro/contracts/acquirer/settlement-report.ts';

const page = z.object({
  asOf: settlementReport.shape.asOf.transform((text) => new Date(text)),
  data: settlementReport.shape.data,
});

/** The bank does not give its report, or gives something else. */
export class NoSettlementReport extends Error {
  override readonly name = 'NoSettlementReport';
}

const TRIES = 3;
const TIMEOUT_MS = 30_000;

/** The bank that reports, and the token that it knows us by. */
export type ReportingBank = { pool: Pool } & Pick<BankAddress, 'token'>;

/**
 * A page of the bank's settlement report of a natural day (`2026-11-20`): the money that moved, in the order of the ids, after `after`
 * or from the first. Empty at the end. `asOf` is the bank's time. @throws NoSettlementReport after three tries
 */
export async function readSettlementReport(
  { pool, token }: ReportingBank,
  day: string,
  after: string | undefined,
): Promise<z.output<typeof page>> {
  for (let tried = 1; ; tried++) {
    try {
      const { method, path } = acquirerRoutes.settlementReport;
      const query = new URLSearchParams({ day, ...(after !== undefined && { after }) }).toString();
      const headers = authorizationOf({ token });
      const request = { method, path: `${path}?${query}`, headers };
      const { statusCode, text } = await exchange(pool, request, { withinMs: TIMEOUT_MS });
      if (statusCode !== 200) throw new Error(`it answered ${statusCode}`);
      return page.parse(JSON.parse(text));
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
