import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { Caller } from '@cobro/contracts/caller.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { Secret } from '@cobro/contracts/secret.ts';
import { decodeJwt, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import { createTokenSigner, createTokenVerifier } from './internal-token.ts';

const merchant: Caller = { kind: 'merchant', by: { kind: 'key', id: newId() }, organizationId: newId() };
const service: Caller = { kind: 'service', name: 'payments' };

async function keyPair(kid: string): Promise<{ privateJwk: JWK & { kid: string }; publicJwk: JWK & { kid: string } }> {
  const { privateKey, publicKey } = await generateKeyPair('EdDSA', { extractable: true });
  return {
    privateJwk: { ...(await exportJWK(privateKey)), kid },
    publicJwk: { ...(await exportJWK(publicKey)), kid },
  };
}
const gateway = await keyPair('gateway');
const payments = await keyPair('payments');
const verify = await createTokenVerifier({ keys: [gateway.publicJwk, payments.publicJwk] }, 'holds');

/** A token that an attacker with this key could make. */
async function forge(jwk: JWK & { kid: string }, claims: object, header: object = {}): Promise<string> {
  const now = Math.floor(Date.now() / 1_000);
  return new SignJWT({ caller: merchant, iss: jwk.kid, aud: 'holds', exp: now + 60, ...claims })
    .setProtectedHeader({ alg: 'EdDSA', kid: jwk.kid, ...header })
    .sign(await importJWK(jwk, 'EdDSA'));
}

afterEach(() => {
  jest.restoreAllMocks();
});

describe('an internal token', () => {
  test('of a gateway before the dashboard names the key alone, and one of today names it for services of that time too', async () => {
    const [keyId, organizationId] = [newId(), newId()];
    const old = await forge(gateway.privateJwk, { caller: { kind: 'merchant', keyId, organizationId } });
    const by = { kind: 'key', id: keyId } as const;
    expect(await verify(old)).toEqual({ caller: { kind: 'merchant', by, organizationId }, issuer: 'gateway' });
    const partnerId = newId();
    const token = await createTokenSigner(new Secret(gateway.privateJwk))({ kind: 'partner', by, partnerId }, 'holds');
    expect(decodeJwt(token)['caller']).toEqual({ kind: 'partner', by, keyId, partnerId });
    const nobody = await forge(gateway.privateJwk, { caller: { kind: 'merchant', organizationId } });
    expect(await verify(nobody)).toBeUndefined();
  });

  test('says who a request is from and who vouches for it', async () => {
    const token = await createTokenSigner(new Secret(gateway.privateJwk))(merchant, 'holds');
    expect(await verify(token)).toEqual({ caller: merchant, issuer: 'gateway' });
    const own = await createTokenSigner(new Secret(payments.privateJwk))(service, 'holds');
    expect(await verify(own)).toEqual({ caller: service, issuer: 'payments' });
  });

  test('is used again for half of its life, and dies after all of it', async () => {
    const sign = createTokenSigner(new Secret(gateway.privateJwk));
    const begun = Date.now();
    const now = jest.spyOn(Date, 'now').mockReturnValue(begun);
    const token = await sign(merchant, 'holds');
    expect(await verify(token)).toBeDefined();
    now.mockReturnValue(begun + 29_000);
    expect(await sign(merchant, 'holds')).toBe(token);
    expect(await sign({ ...merchant, by: { kind: 'key', id: newId() } }, 'holds')).not.toBe(token);
    now.mockReturnValue(begun + 31_000);
    expect(await sign(merchant, 'holds')).not.toBe(token);
    expect(await verify(token)).toBeDefined();
    now.mockReturnValue(begun + 61_000);
    expect(await verify(token)).toBeUndefined();
  });

  test.each<[string, () => Promise<string>]>([
    ['that has expired', () => forge(gateway.privateJwk, { exp: Math.floor(Date.now() / 1_000) - 1 })],
    ['without an end', () => forge(gateway.privateJwk, { exp: undefined })],
    ['for somebody else', () => forge(gateway.privateJwk, { aud: 'public' })],
    ['for another service', () => createTokenSigner(new Secret(gateway.privateJwk))(merchant, 'payments')],
    ['for no service', () => forge(gateway.privateJwk, { aud: undefined })],
    ['without a caller', () => forge(gateway.privateJwk, { caller: undefined })],
    ['with a caller of an unknown kind', () => forge(gateway.privateJwk, { caller: { kind: 'root' } })],
    ['in which payments speaks as the gateway', () => forge(payments.privateJwk, { iss: 'gateway' })],
    [
      'in which payments says it is holds',
      () => forge(payments.privateJwk, { caller: { kind: 'service', name: 'holds' } }),
    ],
    ['signed with a key of another', () => forge({ ...payments.privateJwk, kid: 'gateway' }, {})],
    ['of an unknown signer', () => forge({ ...payments.privateJwk, kid: 'intents' }, {})],
    ['that is none', async () => 'x.y.z'],
    ['that is empty', async () => ''],
  ])('%s is nobody’s', async (_name, make) => {
    expect(await verify(await make())).toBeUndefined();
  });

  test('that was changed on its way is nobody’s', async () => {
    const [header, body = '', signature] = (await forge(gateway.privateJwk, {})).split('.');
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as { caller: object };
    const changed = { ...claims, caller: { ...claims.caller, organizationId: newId() } };
    const encoded = Buffer.from(JSON.stringify(changed)).toString('base64url');
    expect(await verify(`${header}.${encoded}.${signature}`)).toBeUndefined();
    const unsigned = Buffer.from(JSON.stringify({ alg: 'none', kid: 'gateway' })).toString('base64url');
    expect(await verify(`${unsigned}.${body}.`)).toBeUndefined();
    expect(await verify(`${header}.${body}.${signature}`)).toBeDefined();
  });

  test('of a service with two keys is believed by either, and by none that is not the service’s own', async () => {
    const next = await keyPair('payments');
    const both = await createTokenVerifier({ keys: [gateway.publicJwk, payments.publicJwk, next.publicJwk] }, 'holds');
    for (const { privateJwk } of [payments, next]) {
      const token = await createTokenSigner(new Secret(privateJwk))(service, 'holds');
      expect(await both(token)).toEqual({ caller: service, issuer: 'payments' });
    }
    expect(await both(await forge({ ...gateway.privateJwk, kid: 'payments' }, {}))).toBeUndefined();
    const before = await createTokenSigner(new Secret(next.privateJwk))(service, 'holds');
    expect(await verify(before)).toBeUndefined();
  });
});
