import assert from 'node:assert/strict';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { findLocalstripe } from '../../simulators/localstripe/src/find-programs.ts';
import { startLocalstripe } from '../../simulators/localstripe/src/start-localstripe.ts';
import { openStripeRules } from '../../simulators/localstripe/src/stripe-rules.ts';
import { makeNamespace } from './cluster.ts';
import type { Report } from './disturbances.ts';
import { install, type Options } from './installation.ts';
import { type Door, merchantAt } from './send.ts';

/**
 * A release of its own with the Stripe adapter as the bank, in front of localstripe on this machine, which its network policy lets it reach.
 * @param here this machine's address, as pods reach it
 */
export async function stripeRelease(
  name: string,
  { options, door, here, report }: { options: Options; door: Door; here: string; report: Report },
): Promise<void> {
  const stripe = await startStripe(here);
  const namespace = await makeNamespace(name, 'restricted');
  try {
    const set = {
      hosts: { main: door.main, partner: door.partner },
      'defaults.replicas': 1,
      'bank.url': '',
      'stripe.enabled': true,
      'stripe.port': stripe.port,
      'stripe.to': [{ ipBlock: { cidr: `${here}/32` } }],
      'services.stripe.env.STRIPE_URL': `http://${here}:${stripe.port}`,
    };
    const installed = await install(namespace, options, set, 'sk_test_e2e');
    report('a release with the Stripe adapter as the bank installed');
    await installed.test();
    report('helm test: a hold and a capture at localstripe');
    const { apiKey } = await installed.makeMerchants();
    const merchant = merchantAt(door, apiKey);
    const card = await merchant.saveCard();
    const charged = await merchant.charge(card);
    const held = await merchant.hold(card);
    assert.deepEqual([charged.body.status, held.body.status], ['CONFIRMED', 'HELD']);
    await installed.upgrade({ ...set, secretsRevision: 'two' });
    await namespace.settled();
    assert.equal((await merchant.refund(card, charged.body.id)).body.status, 'REFUNDED');
    assert.equal((await merchant.capture(card, held.body.id, 70)).body.status, 'CONFIRMED');
    await installed.reconcile();
    report(
      'every pod replaced; what was charged and held before is refunded and captured after; the reconciliation agrees',
    );
  } finally {
    await namespace.remove();
    await stripe.close();
  }
}

/** localstripe behind our rules of Stripe, which listen on this machine alone, at an address that pods reach. */
async function startStripe(here: string) {
  const python = await findLocalstripe();
  if (python === undefined) throw new Error('localstripe cannot be had: it needs Python 3 and the way to a registry');
  const localstripe = await startLocalstripe(python);
  const rules = await openStripeRules(localstripe.url);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const onward = connect(Number(new URL(rules.url).port), '127.0.0.1');
    for (const one of [socket, onward]) {
      sockets.add(one);
      one.on('error', () => {});
      one.on('close', () => void [socket, onward].map((end) => end.destroy()));
    }
    socket.pipe(onward).pipe(socket);
  });
  await new Promise<void>((listening) => server.listen(0, here, listening));
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      rules.close();
      await localstripe.kill();
    },
  };
}
