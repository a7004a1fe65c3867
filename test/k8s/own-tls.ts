import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:tls';
import { type TestAuthority, testAuthority } from '@cobro/testing/test-authority.ts';
import { serviceNames } from '../../services/definitions.ts';
import { until } from '@cobro/testing/until.ts';
import { CommandError, type Namespace, RELEASE } from './cluster.ts';
import type { Disturbed } from './disturbances.ts';
import { DEV_RELEASE } from './installation.ts';
import { underLoad } from './under-load.ts';
import { openWire, type Wire } from './wire.ts';

const SECRET = 'cobro-internal-tls';

/**
 * Under load, TLS between our own processes is switched on step by step, its certificates and their authority turn, every pod is
 * replaced, and TLS is switched off.
 * @param wire the address of the Ingress if tcpdump can listen there, because this machine is the only node
 */
export async function ownTls(disturbed: Disturbed, wire: string | undefined): Promise<void> {
  const [first, next] = [tlsAuthority(), tlsAuthority()];
  const heard = wire === undefined ? undefined : await openWire(await betweenOurs(disturbed, wire));
  try {
    await listen(disturbed, heard, 'without TLS');
    await turnTo(disturbed, first, [first]);
    await switchOn(disturbed);
    await listen(disturbed, heard, 'with TLS');
    await turnUnderLoad(disturbed, first, next);
    await switchOff(disturbed);
  } finally {
    heard?.close();
    for (const authority of [first, next]) authority.remove();
  }
}

/** Values of a release whose processes speak only TLS from its installation on. */
export const tlsFromTheStart = { 'tls.existingSecret': SECRET, 'tls.mode': 'required' };

export const tlsAuthority = () => testAuthority(serviceNames.map((name) => `${RELEASE}-${name}`));

/** Like `ownTls`, for a release with those values. */
export async function alwaysByTls(disturbed: Disturbed, first: TestAuthority, wire: string | undefined): Promise<void> {
  const next = tlsAuthority();
  const heard = wire === undefined ? undefined : await openWire(await betweenOurs(disturbed, wire));
  try {
    await listen(disturbed, heard, 'with TLS');
    await turnUnderLoad(disturbed, first, next);
    await listen(disturbed, heard, 'with TLS');
  } finally {
    heard?.close();
    next.remove();
  }
}

const switchTo = ({ installed }: Disturbed, mode: string, more: Record<string, unknown> = {}) =>
  installed.upgrade({ secretsRevision: 'two', 'tls.existingSecret': SECRET, 'tls.mode': mode, ...more });

async function switchOn(disturbed: Disturbed): Promise<void> {
  const { scene, report } = disturbed;
  const refusal: unknown = await switchTo(disturbed, 'required').catch((error: unknown) => error);
  if (!(refusal instanceof CommandError && refusal.message.includes('more than one step')))
    throw new Error(`TLS in one leap was not refused: ${String(refusal)}`);
  report('TLS in one leap: refused');
  report(`TLS offered: ${await underLoad(scene, () => switchTo(disturbed, 'offered'))}`);
  await turnIngress(disturbed, 'https');
  report(`TLS used: ${await underLoad(scene, () => switchTo(disturbed, 'used'))}`);
  report(`TLS required: ${await underLoad(scene, () => switchTo(disturbed, 'required'))}`);
}

async function turnUnderLoad(disturbed: Disturbed, first: TestAuthority, next: TestAuthority): Promise<void> {
  const { scene, report } = disturbed;
  const turned = await underLoad(scene, async () => {
    await turnTo(disturbed, first, [first, next]);
    await turnTo(disturbed, next, [first, next]);
    await turnTo(disturbed, next, [next]);
  });
  report(`certificates turned three times, the authority too: ${turned}`);
  const replace = () => switchTo(disturbed, 'required', { secretsRevision: 'tls' });
  report(`upgrade of every service, by TLS: ${await underLoad(scene, replace)}`);
}

async function switchOff(disturbed: Disturbed): Promise<void> {
  const { scene, installed, report } = disturbed;
  report(`TLS used again: ${await underLoad(scene, () => switchTo(disturbed, 'used'))}`);
  await turnIngress(disturbed, 'http');
  const counts = await underLoad(scene, async () => {
    await switchTo(disturbed, 'offered');
    await scene.namespace.settled();
    await installed.upgrade({ secretsRevision: 'two' });
  });
  report(`TLS offered, off: ${counts}`);
}

const TURNS_WITHIN_MS = 3_000;

/**
 * Writes into the Service how the Ingress speaks to the gateway, which takes both. The next upgrade would write it too, but at a moment
 * unknown to this test: Contour removes its old cluster before its routes lead to the new one, and answers 503 itself in between.
 */
async function turnIngress({ scene, report }: Disturbed, protocol: 'http' | 'https'): Promise<void> {
  const turned = [0, 1].map((port) => ({ op: 'replace', path: `/spec/ports/${port}/appProtocol`, value: protocol }));
  const counts = await underLoad(scene, async (mayFailUntil) => {
    const patch = ['--type=json', '--patch', JSON.stringify(turned)];
    await scene.namespace.kubectl('patch', 'service', `${RELEASE}-gateway`, ...patch);
    await sleep(TURNS_WITHIN_MS);
    mayFailUntil(Date.now(), 'with an answer');
  });
  report(`the Ingress turns to ${protocol}: ${counts}`);
}

/**
 * A tcpdump filter without traffic to the bank simulator, which has no TLS, from callers to the Ingress, and on this machine's loopback.
 */
async function betweenOurs({ scene: { namespace } }: Disturbed, ingress: string): Promise<string> {
  const address = (...of: string[]) =>
    namespace.kubectl('get', ...of, '-o', 'jsonpath={.status.podIP}{.spec.clusterIP}');
  const bank = [await address('pod', `${DEV_RELEASE}-bank-0`), await address('service', `${DEV_RELEASE}-bank`)];
  const { hostname, port } = new URL(ingress);
  const others = [...bank.map((host) => `host ${host}`), `(host ${hostname} and port ${port || 80})`];
  return ['tcp', 'net 127.0.0.0/8', ...others].join(' and not ');
}

type How = 'with TLS' | 'without TLS';

/** Saves cards under load. @throws if a card's number is heard with TLS, or none without */
async function listen({ scene, report }: Disturbed, wire: Wire | undefined, how: How): Promise<void> {
  if (wire === undefined) return;
  const before = wire.heard();
  const counts = await underLoad(scene, async () => {
    for (let n = 0; n < 10; n++) await scene.merchant.saveCard();
  });
  const now = wire.heard();
  const numbers = now.numbers - before.numbers;
  report(`${now.bytes - before.bytes} bytes on the wire ${how}, ${numbers} times a card's number: ${counts}`);
  if (numbers > 0 === (how === 'with TLS')) throw new Error(`a card's number was heard ${numbers} times ${how}`);
}

/** Puts a new certificate into the Secret. Returns it. */
export async function writeCertificate(
  namespace: Namespace,
  authority: TestAuthority,
  believed: TestAuthority[],
): Promise<string> {
  const { cert, key } = authority.issue();
  const ca = believed.map(({ certificate }) => certificate).join('');
  const stringData = { 'tls.crt': cert, 'tls.key': key, 'ca.crt': ca };
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: SECRET },
    type: 'kubernetes.io/tls',
    stringData,
  };
  await namespace.apply(JSON.stringify(secret));
  return cert;
}

/** Like `writeCertificate`, and waits until every process with TLS shows it. */
async function turnTo(
  { scene: { namespace } }: Disturbed,
  authority: TestAuthority,
  believed: TestAuthority[],
): Promise<void> {
  const cert = await writeCertificate(namespace, authority, believed);
  const pods = (await Promise.all(serviceNames.map((name) => namespace.pods(name)))).flat();
  for (const { metadata, spec } of pods) {
    if (!spec.volumes.some(({ name }) => name === 'tls')) continue;
    await until(
      `${metadata.name} shows the new certificate`,
      async () => cert.includes(await shownBy(namespace, metadata.name)),
      180_000,
    );
  }
}

/** The certificate that a pod shows, as the text between the lines of a PEM file. */
async function shownBy(namespace: Namespace, pod: string): Promise<string> {
  const { address, close } = await namespace.forward(`pod/${pod}`, 8080);
  const [host = '', port] = address.split(':');
  try {
    return await new Promise<string>((resolve, reject) => {
      const socket = connect({ host, port: Number(port), rejectUnauthorized: false }, () => {
        const shown = socket.getPeerCertificate().raw.toString('base64');
        socket.destroy();
        resolve(shown.replace(/.{64}/g, '$&\n'));
      });
      socket.once('error', reject);
    });
  } finally {
    close();
  }
}
