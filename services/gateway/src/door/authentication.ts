import { Refusal } from '@cobro/contracts/refusals.ts';
import type { Request } from 'express';
import type { Deps, OutsideCaller } from '../deps.ts';
import { hashOfKey } from '../registry/key-hash.ts';
import { parseKey } from '../registry/key.rules.ts';
import type { ActiveKey } from '../registry/key.store.ts';
import type { Who } from '@cobro/contracts/route.ts';

/** Who the request is from. 401 for a key that is missing, mistyped, not found, revoked or of the other mode. */
export async function authenticate(deps: Deps, who: Who, req: Request): Promise<OutsideCaller> {
  if (who === 'public') return { kind: 'public' };
  const text = req.headers[who === 'terminal' ? 'x-terminal-key' : 'x-api-key'];
  const form = typeof text === 'string' ? parseKey(text) : undefined;
  if (typeof text !== 'string' || form === undefined) throw unauthorized();
  if (form.kind === 'merchant' && form.mode !== deps.keyMode) throw unauthorized();
  const key = await deps.keys.find(hashOfKey(text)).catch((error: unknown) => {
    deps.log.warn({ error }, 'a key could not be looked up');
    throw new Refusal('SERVICE_UNAVAILABLE');
  });
  if (key === undefined) throw unauthorized();
  deps.keyUses.note(key.id);
  return callerOf(key);
}

/** Names the scheme, as every 401 must (RFC 9110, 11.6.1). */
export const unauthorized = () =>
  new Refusal('UNAUTHORIZED', { headers: { 'WWW-Authenticate': 'ApiKey realm="cobro"' } });

function callerOf({ id, organizationId, partnerId, terminalId }: ActiveKey): OutsideCaller {
  if (terminalId !== null && organizationId !== null)
    return { kind: 'terminal', keyId: id, terminalId, organizationId };
  const by = { kind: 'key', id } as const;
  if (organizationId !== null) return { kind: 'merchant', by, organizationId };
  if (partnerId !== null) return { kind: 'partner', by, partnerId };
  throw new Error(`key ${id} belongs to nobody`);
}
