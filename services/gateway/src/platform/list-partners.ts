import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { listPlatformPartners as contract } from '@cobro/contracts/routes/platform.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { listPartnersByName } from '../registry/partner.store.ts';

const MOST = 500;

/** GET /platform/partner */
export const listPlatformPartners = async (
  { db }: Deps,
  _input: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> => ok({ items: await listPartnersByName(db, MOST) });
