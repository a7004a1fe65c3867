import { askForHold } from '@cobro/contracts/routes/internal.ts';
import * as cardPayments from '@cobro/contracts/routes/saved-card-payments.ts';
import * as cards from '@cobro/contracts/routes/saved-cards.ts';
import type { HandlersFor } from '@cobro/events/event-handlers.ts';
import { route, type ServedRoute } from '@cobro/service-kit/serve-route.ts';
import { getPaymentMethod } from './cards/get-payment-method.ts';
import { listPaymentMethods } from './cards/list-payment-methods.ts';
import { revokePaymentMethod } from './cards/revoke-payment-method.ts';
import { savePaymentMethod } from './cards/save-payment-method.ts';
import type { Deps } from './deps.ts';
import { onOrganization } from './organizations/on-organization.ts';
import { answerHoldQuestion } from './payments/answer-hold-question.ts';
import { chargePaymentMethod } from './payments/charge-payment-method.ts';
import { getPayment } from './payments/get-payment.ts';
import { holdHandlers } from './payments/hold-copy.ts';
import { listPayments } from './payments/list-payments.ts';
import { refundPayment } from './payments/refund-payment.ts';
import type { payments } from './service.ts';

/** Events that payments follows, from the broker or handed over directly. */
export const handlers: HandlersFor<(typeof payments)['follows'][number]> = {
  ...holdHandlers,
  OrganizationRegistered: onOrganization,
  OrganizationChanged: onOrganization,
};

/** Every route of payments. */
export const routes: readonly ServedRoute<Deps>[] = [
  route(cards.savePaymentMethod, savePaymentMethod),
  route(cards.listPaymentMethods, listPaymentMethods),
  route(cards.getPaymentMethod, getPaymentMethod),
  route(cards.revokePaymentMethod, revokePaymentMethod),
  route(cardPayments.chargePaymentMethod, chargePaymentMethod),
  route(cardPayments.listPayments, listPayments),
  route(cardPayments.getPayment, getPayment),
  route(cardPayments.refundPayment, refundPayment),
  route(askForHold, answerHoldQuestion),
];
