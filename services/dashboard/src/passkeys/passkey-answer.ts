import { createHash } from 'node:crypto';
import type { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server';
import type { Deps } from '../deps.ts';
import type { Visit } from '../http/visit.ts';
import { isOwnChallenge, type Purpose } from './challenge.ts';
import type { Passkey } from './passkey.store.ts';

const MOST_CHARACTERS = 20_000;

/** The WebAuthn JSON that the script sent; undefined if it is none. It is not believed before it is verified. */
export function readAnswer(text: string): { id: string } | undefined {
  if (text.length > MOST_CHARACTERS) return undefined;
  try {
    const answer = JSON.parse(text) as { id: unknown } | null;
    return typeof answer?.id === 'string' ? (answer as { id: string }) : undefined;
  } catch {
    return undefined;
  }
}

type Registration = Parameters<typeof verifyRegistrationResponse>[0]['response'];
type Assertion = Parameters<typeof verifyAuthenticationResponse>[0]['response'];
export type { Assertion, Registration };

/** The answered challenge, to be spent. */
interface Answered {
  challengeHash: Buffer;
}

interface Expected {
  expectedChallenge: (challenge: string) => boolean;
  expectedOrigin: string;
  expectedRPID: string;
  requireUserVerification: true;
}

function expected(deps: Deps, visit: Visit, purpose: Purpose, see: (hash: Buffer) => void): Expected {
  const { origin, hostname } = new URL(deps.baseUrl);
  return {
    expectedChallenge: (challenge) => {
      see(createHash('sha256').update(challenge).digest());
      return isOwnChallenge(deps, visit, purpose, challenge);
    },
    expectedOrigin: origin,
    expectedRPID: hostname,
    requireUserVerification: true,
  };
}

/** Loaded with the first passkey, because it takes 20 MB. */
const webAuthn = () => import('@simplewebauthn/server');

/** The new key pair's public half; undefined if the answer is not valid. */
export async function verifyRegistration(
  deps: Deps,
  visit: Visit,
  response: Registration,
): Promise<(Answered & Pick<Passkey, 'credentialId' | 'publicKey' | 'counter' | 'transports'>) | undefined> {
  const { verifyRegistrationResponse: verify } = await webAuthn();
  let challengeHash = Buffer.alloc(0);
  try {
    const rules = expected(deps, visit, 'register', (hash) => (challengeHash = Buffer.from(hash)));
    const { verified, registrationInfo } = await verify({ response, ...rules });
    if (!verified) return undefined;
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
    return {
      challengeHash,
      credentialId: Buffer.from(id, 'base64url'),
      publicKey: Buffer.from(publicKey),
      counter: BigInt(counter),
      transports: transports.filter((one) => /^[a-z-]{1,20}$/.test(one)).slice(0, 10),
    };
  } catch {
    return undefined;
  }
}

/** The counter after an answer of this passkey; undefined if the answer is not valid, or its counter is not above the last one. */
export async function verifyAssertion(
  deps: Deps,
  visit: Visit,
  { purpose, response, passkey }: { purpose: Purpose; response: Assertion; passkey: Passkey },
): Promise<(Answered & { counter: bigint }) | undefined> {
  const { verifyAuthenticationResponse: verify } = await webAuthn();
  let challengeHash = Buffer.alloc(0);
  const { credentialId, publicKey, counter } = passkey;
  try {
    const { verified, authenticationInfo } = await verify({
      response,
      credential: {
        id: credentialId.toString('base64url'),
        publicKey: new Uint8Array(publicKey),
        counter: Number(counter),
      },
      ...expected(deps, visit, purpose, (hash) => (challengeHash = Buffer.from(hash))),
    });
    return verified ? { challengeHash, counter: BigInt(authenticationInfo.newCounter) } : undefined;
  } catch {
    return undefined;
  }
}
