import { envelope } from '@cobro/contracts/events.ts';
import { paymentMethodQuery } from '@cobro/contracts/payment-methods.ts';
import { paymentQuery } from '@cobro/contracts/payments.ts';
import { validate } from '@cobro/contracts/validation.ts';
import { type EventHandlers, receiveEvent } from '@cobro/events/inbox.ts';
import { handle, ok } from '@cobro/service-kit/handle.ts';
import { idParams } from '@cobro/service-kit/http-app.ts';
import type { Express } from 'express';
import { z } from 'zod';
import { answerHoldQuestion } from './answer-hold-question.ts';
import { chargePaymentMethod } from './charge-payment-method.ts';
import type { Deps } from './deps.ts';
import { getPaymentMethod } from './get-payment-method.ts';
import { getPayment } from './get-payment.ts';
import { holdHandlers } from './hold-copy.ts';
import { listPaymentMethods } from './list-payment-methods.ts';
import { listPayments } from './list-payments.ts';
import { onOrganization } from './on-organization.ts';
import { refundPayment } from './refund-payment.ts';
import { revokePaymentMethod } from './revoke-payment-method.ts';
import { savePaymentMethod } from './save-payment-method.ts';

const merchant = { caller: 'merchant' } as const;
const ofMethod = { ...merchant, params: idParams('id') };
const ofPayment = { ...merchant, params: idParams('id', 'paymentId') };
const holdQuestion = {
  caller: 'service' as const,
  params: idParams('id'),
  query: z.strictObject({ organizationId: z.uuid(), paymentMethodId: z.uuid() }),
};

/** Events that payments follows, from the broker or handed over directly. */
export const handlers: EventHandlers = {
  ...holdHandlers,
  OrganizationRegistered: onOrganization,
  OrganizationChanged: onOrganization,
};

/** Every route of payments. */
export const routes = (deps: Deps) => (app: Express) => {
  app.post(
    '/payment-method',
    handle(merchant, (input) => savePaymentMethod(deps, input)),
  );
  app.get(
    '/payment-method',
    handle({ ...merchant, query: paymentMethodQuery }, (input) => listPaymentMethods(deps, input)),
  );
  app.get(
    '/payment-method/:id',
    handle(ofMethod, (input) => getPaymentMethod(deps, input)),
  );
  app.delete(
    '/payment-method/:id',
    handle(ofMethod, (input) => revokePaymentMethod(deps, input)),
  );
  app.post(
    '/payment-method/:id/payment',
    handle(ofMethod, (input) => chargePaymentMethod(deps, input)),
  );
  app.get(
    '/payment-method/:id/payment',
    handle({ ...ofMethod, query: paymentQuery }, (input) => listPayments(deps, input)),
  );
  app.get(
    '/payment-method/:id/payment/:paymentId',
    handle(ofPayment, (input) => getPayment(deps, input)),
  );
  app.post(
    '/payment-method/:id/payment/:paymentId/refund',
    handle(ofPayment, (input) => refundPayment(deps, input)),
  );

  app.get(
    '/internal/payments/:id',
    handle(holdQuestion, (input) => answerHoldQuestion(deps, input)),
  );
  app.post(
    '/internal/events',
    handle({ caller: 'service' }, async ({ body }) =>
      ok({ result: await receiveEvent(deps.db, handlers, validate(envelope, body)) }),
    ),
  );
};
