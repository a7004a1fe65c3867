import { createECDH, createHash, createPrivateKey, type JsonWebKey } from 'node:crypto';

/** For localhost, self-signed, valid for a hundred years. Only tests trust it. */
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
/** Makes its key of a phrase, so that the repository holds no key. */
function keyOf(phrase: string): string {
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(createHash('sha256').update(phrase).digest());
  const point = ecdh.getPublicKey();
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'));
  const jwk = { kty: 'EC', crv: 'P-256', d: ecdh.getPrivateKey('base64url'), x, y };
  return createPrivateKey({ key: jwk as JsonWebKey, format: 'jwk' }).export({ type: 'pkcs8', format: 'pem' }) as string;
}

/** For a test's TLS servers. */
export const testCertificate = { cert, key: keyOf('localhost, in a test') };
