import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { listReconciliations as contract } from '@cobro/contracts/routes/platform-operations.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { listComparedBooks } from './reconciliation.store.ts';

const DAYS = 14;

/** GET /platform/reconciliation */
export async function listReconciliations(
  { db }: Deps,
  _input: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const rows = await listComparedBooks(db, DAYS);
  return ok({ items: rows.map(({ finishedAt, ...row }) => ({ ...row, finishedAt: finishedAt.toISOString() })) });
}
