import { TOKEN_HEADER } from '@cobro/service-kit/internal-token.ts';
import type { Request } from 'express';
import type { Deps } from '../deps.ts';
import { unauthorized } from './authentication.ts';
import type { OutsideRoute } from './outside-routes.ts';
import type { Identified } from './router.ts';

/** The only service that may say which person asks. */
const ISSUER = 'dashboard';

/**
 * Returns the person that the dashboard's token names and the merchant or partner that they act for, or the platform caller.
 * @throws Refusal 401
 */
export async function identifyPerson(deps: Deps, _route: OutsideRoute, req: Request): Promise<Identified> {
  const verified = await deps.verifyToken(req.get(TOKEN_HEADER) ?? '');
  if (verified?.issuer !== ISSUER) throw unauthorized();
  if (verified.caller.kind === 'platform') return { caller: verified.caller };
  if (verified.caller.kind !== 'person') throw unauthorized();
  const person = verified.caller;
  const by = { kind: 'person', id: person.personId } as const;
  const { scope } = person;
  const caller =
    scope.kind === 'organization'
      ? ({ kind: 'merchant', by, organizationId: scope.organizationId } as const)
      : ({ kind: 'partner', by, partnerId: scope.partnerId } as const);
  return { caller, person };
}
