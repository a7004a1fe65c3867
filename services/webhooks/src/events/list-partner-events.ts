import { typesIn } from '@cobro/contracts/outward-events.ts';
import { COUNTED_MATCHES } from '@cobro/contracts/partner-payments.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { listPartnerEvents as contract } from '@cobro/contracts/routes/events.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { keptSince, showEvent } from './event.rules.ts';
import { countEvents, findNewestEvents } from './event.store.ts';
import { findOrganizationsOf } from './organization.store.ts';

type Input = InputOf<typeof contract>;

/** GET /developer/event: newest first, in offset pages. */
export const listPartnerEvents = (deps: Deps, input: Input): Promise<AnswerOf<typeof contract>> =>
  deps.reads.inTurn(input.caller.partnerId, () => readPage(deps, input));

async function readPage({ reads, clock }: Deps, { caller, query }: Input): Promise<AnswerOf<typeof contract>> {
  const { limit, offset, organizationId, type, objectId } = query;
  const own = await findOrganizationsOf(reads, caller.partnerId);
  // Another partner's organization and one that does not exist are refused in the same way.
  if (organizationId?.some((id) => !own.includes(id))) throw new Refusal('FORBIDDEN');
  const asked = [...new Set(organizationId ?? own)];
  const filters = { types: type && typesIn(type), objectId, since: keptSince(clock.now()) };
  const counted = await countEvents(reads, asked, filters, COUNTED_MATCHES + 1);
  const rows = await findNewestEvents(reads, asked, filters, { offset, limit });
  const count = Math.min(counted, COUNTED_MATCHES);
  const answer = ok({ data: rows.map(showEvent), pagination: { limit, offset, count } });
  return counted > COUNTED_MATCHES ? { ...answer, headers: { 'X-Count-Capped': 'true' } } : answer;
}
