import { unseal } from '@cobro/service-kit/seal.ts';
import type { Outbound } from '@cobro/outbound/outbound.ts';
import * as oidc from 'openid-client';
import type { Deps } from '../deps.ts';
import type { SignOn } from './sign-on.store.ts';

const WITHIN_MS = 5_000;
const MOST_BYTES = 256 * 1_024;

/** The issuer cannot be reached, violates OpenID Connect, or refused what the browser brought. Nothing was changed. */
export class IssuerFailed extends Error {
  /** Whether it is the issuer's failure alone, whatever the browser brought. */
  readonly isItsOwn: boolean;
  constructor(cause: unknown) {
    super(cause instanceof Error ? `${cause.name}: ${cause.message}` : 'unknown', { cause });
    this.name = 'IssuerFailed';
    this.isItsOwn = isOfIssuer(cause);
  }
}

/** Errors by which an issuer reports its own failure (RFC 6749, 4.1.2.1). */
const ITS_OWN_ERRORS = ['server_error', 'temporarily_unavailable'];
/** Failures that a browser can cause: another code, another nonce, a sign-in that is not fresh. */
const OF_THE_BROWSER = [
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
];

function isOfIssuer(cause: unknown): boolean {
  if (cause instanceof oidc.AuthorizationResponseError) return ITS_OWN_ERRORS.includes(cause.error);
  if (cause instanceof oidc.ResponseBodyError) return cause.status >= 500;
  return !OF_THE_BROWSER.includes(String((cause as { code?: unknown }).code));
}

/** The client's requests go out through the guarded `outbound`, because an issuer's addresses come from strangers. */
const guarded =
  (outbound: Outbound): oidc.CustomFetch =>
  async (address, { method, headers, body }) => {
    const answer = await outbound.request({
      url: new URL(address),
      method: method === 'POST' ? 'POST' : 'GET',
      headers,
      body: body instanceof URLSearchParams || typeof body === 'string' ? body.toString() : '',
      withinMs: WITHIN_MS,
      mostBytes: MOST_BYTES,
    });
    const isEmpty = answer.status === 204 || answer.status === 304;
    return new Response(isEmpty ? null : answer.text, {
      status: answer.status,
      headers: { 'content-type': answer.contentType ?? '' },
    });
  };

const KEPT_MS = 5 * 60_000;
const FAILURE_KEPT_MS = 10_000;
const MOST_KEPT = 500;
const discovered = new Map<string, { config: Promise<oidc.Configuration>; until: number }>();

/** The issuer's metadata, five minutes old at most: pages open to anybody must not ask the issuer each time. @throws IssuerFailed */
function discover(deps: Deps, signOn: SignOn): Promise<oidc.Configuration> {
  const key = `${signOn.id} ${signOn.sealedSecret.toString('base64')}`;
  const kept = discovered.get(key);
  if (kept !== undefined && kept.until > Date.now()) return kept.config;
  if (discovered.size >= MOST_KEPT) discovered.clear();
  const entry = { config: discoverNow(deps, signOn), until: Date.now() + KEPT_MS };
  discovered.set(key, entry);
  entry.config.catch(() => (entry.until = Date.now() + FAILURE_KEPT_MS));
  return entry.config;
}

/** Reads the issuer's metadata. @throws IssuerFailed */
async function discoverNow({ outbound, secretKeys, allowsLoopbackIssuers }: Deps, signOn: SignOn) {
  const secret = unseal(secretKeys, secretContext(signOn.id), signOn.sealedSecret).reveal();
  try {
    const config = await oidc.discovery(new URL(signOn.issuer), signOn.clientId, secret, undefined, {
      [oidc.customFetch]: guarded(outbound),
      timeout: WITHIN_MS / 1_000,
      execute: [oidc.enableNonRepudiationChecks, ...(allowsLoopbackIssuers ? [oidc.allowInsecureRequests] : [])],
    });
    const at = new URL(config.serverMetadata().authorization_endpoint ?? '');
    const refusal = await outbound.refusalOf(at);
    if (refusal !== undefined) throw new Error(`authorization_endpoint ${refusal}`);
    return config;
  } catch (error) {
    throw new IssuerFailed(error);
  }
}

export const secretContext = (signOnId: string): string => `sign-on ${signOnId}`;

export interface Trip {
  state: string;
  nonce: string;
  verifier: string;
  /** Whether the person has to sign in now, even if the issuer keeps a session. */
  isFresh: boolean;
}

/**
 * Where the issuer sends the browser back. Each sign-on has its own address: at a shared one, an owner who enters an issuer that
 * names another's authorization endpoint would get codes that are meant for the other.
 */
export const redirectUri = ({ baseUrl }: Pick<Deps, 'baseUrl'>, signOnId: string): string =>
  `${baseUrl}/sign-in/oidc/${signOnId}/callback`;

/** The address that the browser goes to. @throws IssuerFailed */
export async function addressOf(
  deps: Deps,
  signOn: SignOn,
  { state, nonce, verifier, isFresh }: Trip,
): Promise<string> {
  const config = await discover(deps, signOn);
  return oidc.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri(deps, signOn.id),
    scope: 'openid',
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(isFresh && { max_age: '0', prompt: 'login' }),
  }).href;
}

/** The subject of the issuer's signed ID token; with `isFresh` of a sign-in seconds ago. @throws IssuerFailed */
export async function subjectOf(deps: Deps, signOn: SignOn, search: string, trip: Trip): Promise<string> {
  const config = await discover(deps, signOn);
  try {
    const tokens = await oidc.authorizationCodeGrant(config, new URL(`${redirectUri(deps, signOn.id)}${search}`), {
      pkceCodeVerifier: trip.verifier,
      expectedNonce: trip.nonce,
      expectedState: trip.state,
      idTokenExpected: true,
      ...(trip.isFresh && { maxAge: 0 }),
    });
    const subject = tokens.claims()?.sub ?? '';
    if (subject === '' || subject.length > 255) throw new Error('no subject');
    return subject;
  } catch (error) {
    throw new IssuerFailed(error);
  }
}
