import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

interface Page {
  html: string;
}

interface Wrongs {
  origin?: string;
  counter?: number;
  /** The device did not check who holds it. */
  unverified?: true;
}

/** For tests: a device that signs whatever it is asked to, also what no browser would let it sign. */
export function testAuthenticator(baseUrl: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const credentialId = randomBytes(32);
  const id = credentialId.toString('base64url');
  const ownOrigin = new URL(baseUrl).origin;
  let signed = 0;
  const clientData = (type: string, challenge: string, origin = ownOrigin) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const head = (rpId: string, flags: number, counter: number) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count]);
  };
  const wire = (response: object) =>
    JSON.stringify({ id, rawId: id, type: 'public-key', clientExtensionResults: {}, response });
  return {
    /** The answer to a page that registers. */
    register: (page: Page, { origin, unverified }: Wrongs = {}): string => {
      const { challenge, rp } = optionsIn(page) as { challenge: string; rp: { id: string } };
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
      // {1: 2, 3: -7, -1: 1, -2: x, -3: y}, in CBOR.
      const key = Buffer.concat([
        Buffer.from('a5010203262001215820', 'hex'),
        Buffer.from(x, 'base64url'),
        Buffer.from('225820', 'hex'),
        Buffer.from(y, 'base64url'),
      ]);
      const flags = unverified ? 0x41 : 0x45;
      const about = Buffer.concat([Buffer.alloc(16), Buffer.from([0, credentialId.length]), credentialId, key]);
      const authData = Buffer.concat([head(rp.id, flags, 0), about]);
      // {"fmt": "none", "attStmt": {}, "authData": authData}
      const attestation = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
        Buffer.from([authData.length]),
        authData,
      ]);
      return wire({
        clientDataJSON: clientData('webauthn.create', challenge, origin).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      });
    },
    /** The answer to a page that asks for a passkey. */
    answer: (page: Page, { origin, counter = ++signed, unverified }: Wrongs = {}): string => {
      const { challenge, rpId } = optionsIn(page) as { challenge: string; rpId: string };
      const data = clientData('webauthn.get', challenge, origin);
      const authData = head(rpId, unverified ? 0x01 : 0x05, counter);
      const signature = sign('sha256', Buffer.concat([authData, sha256(data)]), privateKey);
      return wire({
        clientDataJSON: data.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: signature.toString('base64url'),
      });
    },
  };
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();

function optionsIn({ html }: Page): unknown {
  const [, options = ''] =
    /data-passkey="(?:get|create)" data-options="([^"]*)"/.exec(html.replaceAll(/\s+/g, ' ')) ?? [];
  return JSON.parse(options.replaceAll('&quot;', '"').replaceAll('&#34;', '"').replaceAll('&amp;', '&'));
}
