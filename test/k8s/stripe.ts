import assert from 'node:assert/strict';
import { findLocalstripe } from '../../simulators/localstripe/src/find-programs.ts';
import { startLocalstripe } from '../../simulators/localstripe/src/start-localstripe.ts';
import { openStripeRules } from '../../simulators/localstripe/src/stripe-rules.ts';
import { makeNamespace } from './cluster.ts';
import type { Report } from './disturbances.ts';
import { install, type Options } from './installation.ts';
import { type Door, merchantAt } from './send.ts';

/**
 * A release with the Stripe adapter as its bank, which its network policy lets reach localstripe on this machine.
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
      'stripe.port': Number(new URL(stripe.url).port),
      'stripe.to': [{ ipBlock: { cidr: `${here}/32` } }],
      'services.stripe.env.STRIPE_URL': stripe.url,
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

/** localstripe behind our rules of Stripe, at an address that pods reach. */
async function startStripe(here: string) {
  const python = await findLocalstripe();
  if (python === undefined) throw new Error('localstripe cannot be had: it needs Python 3 and the way to a registry');
  const localstripe = await startLocalstripe(python);
  const rules = await openStripeRules(localstripe.url, 0, here);
  return {
    url: rules.url,
    close: async () => {
      rules.close();
      await localstripe.kill();
    },
  };
}
