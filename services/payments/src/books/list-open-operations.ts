import { openOperations } from '@cobro/bank/open-operations.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { listOpenOperations as contract } from '@cobro/contracts/routes/platform-operations.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';

/** GET /platform/open-operation */
export const listOpenOperations = async (
  { db }: Deps,
  _input: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> => ok(await openOperations(db));
