/**
 * An OpenID Connect issuer for tests, which believes whatever name is typed, and states for everybody the e-mail in ISSUER_EMAIL.
 * REDIRECT_URI is the one client's. Prints its address once it listens.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';

const { REDIRECT_URI, CLIENT_SECRET, ISSUER_EMAIL } = process.env;
const server = createServer().listen(0, '127.0.0.1');
await once(server, 'listening');
const issuer = `http://127.0.0.1:${server.address().port}`;
const provider = new Provider(issuer, {
  clients: [{ client_id: 'cobro', client_secret: CLIENT_SECRET, redirect_uris: [REDIRECT_URI] }],
  cookies: { keys: ['of a test'] },
  claims: { openid: ['sub', 'email'] },
  conformIdTokenClaims: false,
  findAccount: (_ctx, accountId) => ({
    accountId,
    claims: () => ({ sub: accountId, email: ISSUER_EMAIL, email_verified: true }),
  }),
  // Nobody is asked for a consent.
  loadExistingGrant: async ({ oidc }) => {
    const grant = new provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
    grant.addOIDCScope('openid');
    await grant.save();
    return grant;
  },
});
server.on('request', provider.callback());
process.stdout.write(`${issuer}\n`);
