import { createSemaphore } from '@cobro/async/semaphore.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { Deps } from '../deps.ts';
import { type AuditPage, type AuditRow, listAudit } from './audit.store.ts';

const turns = createSemaphore({
  permits: Infinity,
  perKey: 2,
  patience: { withinMs: 2_000, refusal: () => new Refusal('SERVICE_UNAVAILABLE') },
});

/**
 * A page of the audit. A scope reads at most two at once, so that its exports leave connections to everybody else.
 * @throws Refusal SERVICE_UNAVAILABLE if its turn has not come in time
 */
export const readAudit = ({ db }: Pick<Deps, 'db'>, page: AuditPage): Promise<AuditRow[]> =>
  turns.run(() => listAudit(db, page), `${page.scope.kind} ${page.scope.id}`);
