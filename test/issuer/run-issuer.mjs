/**
 * An OpenID Connect issuer for tests, which believes whatever name is typed, and states for everybody the e-mail in ISSUER_EMAIL.
 * REDIRECTS_TO begins the addresses to which the one client may send a browser back. Prints its address once it listens.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';

const { REDIRECTS_TO, CLIENT_SECRET, ISSUER_EMAIL } = process.env;
const server = createServer().listen(0, '127.0.0.1');
await once(server, 'listening');
const issuer = `http://127.0.0.1:${server.address().port}`;
const provider = new Provider(issuer, {
  clients: [{ client_id: 'cobro', client_secret: CLIENT_SECRET, redirect_uris: [REDIRECTS_TO] }],
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
provider.Client.prototype.redirectUriAllowed = (address) => address.startsWith(REDIRECTS_TO);
server.on('request', provider.callback());
process.stdout.write(`${issuer}\n`);
