import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { listEventReconciliations as contract } from '@cobro/contracts/routes/platform-operations.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { listEventReconciliationsOf } from './event-book.store.ts';

const DAYS = 14;

/** GET /platform/event-reconciliation */
export async function listEventReconciliations(
  { db }: Deps,
  _input: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const rows = await listEventReconciliationsOf(db, DAYS);
  return ok({
    items: rows.map(({ day, finishedAt, differences }) => ({
      of: 'events',
      day,
      finishedAt: finishedAt.toISOString(),
      differences,
      notCompared: null,
    })),
  });
}
