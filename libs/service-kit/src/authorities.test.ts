import { createECDH, createHash, createPrivateKey, type JsonWebKey } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runScript } from '@cobro/testing/run-script.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

/** Of localhost, by its own authority, for a hundred years. Nothing but this test believes it. */
const cert = `-----BEGIN CERTIFICATE-----
MIIBlTCCATugAwIBAgIUE6zpthu/mmDoUdh7yvuDqs2KTGAwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMjA0MzMxMVoYDzIxMjYxMDI5
MDQzMzExWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARxldExzcZ97XhKGSCRYf9b3irdsQwig8H54nhh785aBL6jftRHRobu
VR2+ZElTqjABzvliusgHkm0ab26j6Vbmo2kwZzAdBgNVHQ4EFgQUPw+7WrFOqhUf
Rs3e2QASg0USeg8wHwYDVR0jBBgwFoAUPw+7WrFOqhUfRs3e2QASg0USeg8wFAYD
VR0RBA0wC4IJbG9jYWxob3N0MA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwID
SAAwRQIhAKuSBZeFF//T34DmtvqFsN5jVf4Mu07MwL5MpPGQkRgHAiBfEpTr87pH
bLy/029xYif1G71m42qHqmLMhzQD9ncsVQ==
-----END CERTIFICATE-----`;
/** Its key, made of a phrase, so that no key stands in the repository. */
function keyOf(phrase: string): string {
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(createHash('sha256').update(phrase).digest());
  const point = ecdh.getPublicKey();
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'));
  const jwk = { kty: 'EC', crv: 'P-256', d: ecdh.getPrivateKey('base64url'), x, y };
  return createPrivateKey({ key: jwk as JsonWebKey, format: 'jwk' }).export({ type: 'pkcs8', format: 'pem' }) as string;
}
const key = keyOf('localhost, in a test');

let server: Server;
let folder = '';

beforeAll(async () => {
  server = createServer({ cert, key }, (_req, res) => res.end('yes'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  folder = mkdtempSync(join(tmpdir(), 'authorities-'));
  writeFileSync(join(folder, 'postgres.crt'), cert);
  // Kubernetes keeps links with such names beside the files.
  writeFileSync(join(folder, '..data'), 'no certificate');
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

async function ask(env: Record<string, string>): Promise<string> {
  const { port } = server.address() as AddressInfo;
  const script = `import '@cobro/service-kit/authorities.ts';
    const answer = await fetch('https://localhost:${port}').then((r) => r.text(), (error) => error.cause.code);
    console.log(answer); process.exit();`;
  const { ended, output } = runScript(script, env);
  await ended;
  return output.stdout.trim();
}

test('a server with a certificate of an authority in the folder is believed', async () => {
  expect(await ask({ TRUSTED_AUTHORITIES: folder })).toBe('yes');
});

test('without the folder it is not', async () => {
  expect(await ask({})).toMatch(/SELF_SIGNED|UNABLE_TO_VERIFY/);
});
