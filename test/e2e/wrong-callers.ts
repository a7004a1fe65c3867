import { createPrivateKey, type JsonWebKey, sign } from 'node:crypto';
import type { Caller } from '@cobro/contracts/caller.ts';
import { newId } from '@cobro/contracts/ids.ts';
import type { RouteContract, Who } from '@cobro/contracts/route.ts';
import { type Database, sql } from '@cobro/postgres/database.ts';
import { TOKEN_HEADER } from '@cobro/service-kit/internal-token.ts';
import type { ServiceName } from '../../services/definitions.ts';
import { runCommand } from '../../dev/seed/run-command.ts';
import type { Stack } from '../../dev/stack/stack.ts';

/** A caller for whom the route is not: its headers, and the expected status. */
export interface WrongCaller {
  what: string;
  headers: Record<string, string>;
  status: 401 | 403;
}

/** The kinds of caller that have keys. */
export type Holder = 'merchant' | 'partner' | 'terminal';
const holders: readonly Holder[] = ['merchant', 'partner', 'terminal'];

/** Keys of each kind of holder: one that works, one that was revoked after use, one that is not in the table. */
export interface Keys extends Record<Holder, { working: string; revoked: string; unknown: string }> {
  /** A merchant's key of live mode, which a test-mode deployment refuses. */
  live: string;
}

/** Makes the keys, as an operator does. Revoked keys were used before. */
export async function makeKeys(stack: Stack, gateway: Database, organizationId: string): Promise<Keys> {
  const run = (...args: string[]) => runCommand(stack.databaseUrl, ...args);
  const { id: partnerId } = await run('partners', 'create', '--name', 'Ventas del Golfo');
  const serial = `SN-${newId()}`;
  const { id: terminalId } = await run('terminals', 'create', '--organization', organizationId, '--serial', serial);
  const make: Record<Holder, () => ReturnType<typeof run>> = {
    merchant: () => run('keys', 'create', '--organization', organizationId),
    partner: () => run('keys', 'create', '--partner', partnerId),
    terminal: () => run('terminals', 'key', '--id', terminalId),
  };
  const ofHolder = async (holder: Holder) => {
    const [working, revoked, unknown] = [await make[holder](), await make[holder](), await make[holder]()];
    // Any status except 401 means that the key is known.
    const isKnown = async () => (await ask(stack, headerOf(holder), revoked.key ?? '')) !== 401;
    if (!(await isKnown())) throw new Error(`the key of a ${holder} does not work`);
    await run('keys', 'revoke', '--id', revoked.keyId ?? revoked.id);
    while (await isKnown());
    await gateway.run(sql`delete from api_keys where id = ${unknown.keyId ?? unknown.id}`);
    return [holder, { working: working.key, revoked: revoked.key, unknown: unknown.key }] as const;
  };
  const live = await run('keys', 'create', '--organization', organizationId, '--mode', 'live');
  return { ...Object.fromEntries(await Promise.all(holders.map(ofHolder))), live: live.key } as Keys;
}

/** The status that the key gets on a route of its kind; 401 if the key is not known. */
async function ask({ baseUrl }: Stack, header: string, key: string): Promise<number> {
  const path = header === 'x-terminal-key' ? `/terminal/v1/payment-intent/${newId()}` : '/payment-method?pageSize=1';
  const answer = await fetch(`${baseUrl}${path}`, { headers: { [header]: key } });
  await answer.arrayBuffer();
  return answer.status;
}

export const headerOf = (who: Who) => (who === 'terminal' ? 'x-terminal-key' : 'x-api-key');
const mistyped = (key: string) => key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');

/** Callers that the gateway refuses on this holder's routes. `own` is the key that the route accepts. */
export function wrongKeys(holder: Holder, keys: Keys, own: string, token: string): WrongCaller[] {
  const header = headerOf(holder);
  const nobody = (what: string, headers: Record<string, string>): WrongCaller => ({ what, headers, status: 401 });
  return [
    nobody('no key', {}),
    nobody('an empty key', { [header]: '' }),
    nobody('what is no key', { [header]: 'Bearer 123' }),
    nobody('a mistyped key', { [header]: mistyped(own) }),
    nobody('the right key in the header of others', {
      [headerOf(holder === 'terminal' ? 'merchant' : 'terminal')]: own,
    }),
    nobody('an internal token and no key', { [TOKEN_HEADER]: token }),
    nobody('a key of live mode', { [header]: keys.live }),
    ...holders.flatMap((other) => [
      nobody(`a revoked key of a ${other}`, { [header]: keys[other].revoked }),
      nobody(`an unknown key of a ${other}`, { [header]: keys[other].unknown }),
    ]),
    ...holders
      .filter((other) => other !== holder)
      .map((other) => ({
        what: `the key of a ${other}`,
        headers: { [header]: keys[other].working },
        status: 403 as const,
      })),
  ];
}

/** Signs internal tokens with the keys of the stack's services. */
export interface Tokens {
  /** A valid token of the gateway for this kind of caller at this service. */
  good(who: Who, to: string): string;
  /** A valid token of a service that speaks for itself. */
  ofService(service: ServiceName, to: string): string;
  /** Callers that the service refuses on this route. */
  wrong(contract: Pick<RouteContract, 'who'>, to: ServiceName): WrongCaller[];
}

export function openTokens({ processes }: Stack, organizationId: string): Tokens {
  const signed = (by: ServiceName, caller: Caller, to: string, seconds = 60) => {
    const key = JSON.parse(processes.environmentOf(by)['INTERNAL_SIGNING_KEY'] ?? '') as JsonWebKey;
    return tokenOf(key, { iss: by, caller, aud: to, exp: Math.floor(Date.now() / 1_000) + seconds });
  };
  const callers: Record<Who, Caller> = {
    merchant: { kind: 'merchant', by: { kind: 'key', id: newId() }, organizationId },
    partner: { kind: 'partner', by: { kind: 'key', id: newId() }, partnerId: newId() },
    terminal: { kind: 'terminal', keyId: newId(), terminalId: newId(), organizationId },
    public: { kind: 'public' },
    service: { kind: 'service', name: 'gateway' },
    platform: { kind: 'platform', by: { kind: 'person', id: newId() }, provedAt: new Date().toISOString() },
    person: {
      kind: 'person',
      personId: newId(),
      scope: { kind: 'organization', organizationId },
      role: 'owner',
      provedAt: new Date().toISOString(),
    },
  };
  return {
    good: (who, to) => signed('gateway', callers[who], to),
    ofService: (service, to) => signed(service, { kind: 'service', name: service }, to),
    wrong: ({ who }, to) => {
      const otherService = to === 'payments' ? 'holds' : 'payments';
      const sends = (what: string, token: string, status: 401 | 403 = 401): WrongCaller => ({
        what,
        headers: { [TOKEN_HEADER]: token },
        status,
      });
      // A public route has no named caller, so its contract has no 403.
      const others = Object.values(callers).filter(({ kind }) => who !== 'public' && kind !== who);
      return [
        { what: 'no token', headers: {}, status: 401 },
        sends('what is no token', 'x.y.z'),
        sends('a token for another service', signed('gateway', callers[who], otherService)),
        sends('a token that has expired', signed('gateway', callers[who], to, -1)),
        sends('a token of a service that speaks for another', signed(otherService, callers[who], to)),
        ...others.map((caller) => sends(`the token of a ${caller.kind}`, signed('gateway', caller, to), 403)),
      ];
    },
  };
}

/** Signs a token with these claims, even one that none of our services would sign. */
function tokenOf(key: JsonWebKey, claims: { iss: string; caller: Caller; aud: string; exp: number }): string {
  const part = (json: object) => Buffer.from(JSON.stringify(json)).toString('base64url');
  const content = `${part({ alg: 'EdDSA', kid: claims.iss })}.${part(claims)}`;
  const signature = sign(null, Buffer.from(content), createPrivateKey({ key, format: 'jwk' }));
  return `${content}.${signature.toString('base64url')}`;
}
