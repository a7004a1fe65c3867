import { newId } from '@cobro/contracts/ids.ts';
import { readDashboardAssets } from '@cobro/dashboard/assets.ts';
import { expect, test } from '@jest/globals';
import type { Deps } from '../deps.ts';
import type { SignedIn } from '../http/screen.ts';
import { anOwner } from '../http/visit-under-test.ts';
import { actOnPayment } from './act-on-payment.ts';

const deps = { clock: { now: () => new Date() }, assets: readDashboardAssets(), isTestMode: true } as Deps;

/** A refund that a person asks for; there is no API to send it to. */
const refunding = (payment: object) =>
  actOnPayment(deps, {
    ...anOwner(),
    form: new URLSearchParams(),
    params: { id: newId(), action: 'refund' },
    api: { call: async () => ({ kind: 'done', value: { payment, complete: true, operations: [] } }) },
  } as unknown as SignedIn);

test.each(['NOT_INITIALIZED', 'PENDING', 'CANCELLED', 'HELD', 'HOLD_RELEASED', 'HOLD_EXPIRED'])(
  'of a link that was paid by another attempt, one that is %s refunds nothing',
  async (status) => {
    const attempt = { id: newId(), operationCode: 1, status, amount: 100, heldAmount: null };
    const answer = await refunding({ ...attempt, paymentMethodId: null, oneTimePaymentId: newId() });
    expect(answer.status).toBe(409);
    expect(answer.html).toContain('Este pago no se puede devolver');
  },
);
