import type { Handler } from '@cobro/events/event-handlers.ts';
import type { Audited } from '@cobro/dashboard/settings/audited-words.ts';
import { recordAudit } from '../audit/audit.store.ts';
import type { Scope } from '../people/roles.rules.ts';

type Data = { keyId: string; organizationId: string | null; partnerId: string | null; personId: string | null };

/**
 * Audits that a key was made or ended, also by an operator's command, and if no answer came to the person who asked. The rows *asked* and
 * *answered* say who tried.
 */
const onKey =
  (what: Audited) =>
  async (tx: Parameters<Handler<'KeyCreated'>>[0], { keyId, organizationId, partnerId, personId }: Data) => {
    const scope: Scope =
      partnerId === null ? { kind: 'organization', id: organizationId } : { kind: 'partner', id: partnerId };
    await recordAudit(tx, { personId, scope, what, target: keyId, outcome: 'done' });
  };

export const onKeyCreated: Handler<'KeyCreated'> = onKey('api-key.created');
export const onKeyRevoked: Handler<'KeyRevoked'> = onKey('api-key.ended');
