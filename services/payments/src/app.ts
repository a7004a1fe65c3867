import {
  askForAcquirer,
  askForHold,
  askForLiveCalls,
  askForPaymentOfIntent,
  askForTappedPayment,
} from '@cobro/contracts/routes/internal.ts';
import * as checkout from '@cobro/contracts/routes/checkout.ts';
import * as fees from '@cobro/contracts/routes/fee-channels.ts';
import * as links from '@cobro/contracts/routes/one-time-payments.ts';
import * as intents from '@cobro/contracts/routes/payment-intents.ts';
import * as paymentLinks from '@cobro/contracts/routes/payment-links.ts';
import * as promotions from '@cobro/contracts/routes/promotions.ts';
import * as settlements from '@cobro/contracts/routes/settlements.ts';
import * as timelines from '@cobro/contracts/routes/payment-timeline.ts';
import * as cardPayments from '@cobro/contracts/routes/saved-card-payments.ts';
import * as operations from '@cobro/contracts/routes/platform-operations.ts';
import * as products from '@cobro/contracts/routes/products.ts';
import * as subscriptions from '@cobro/contracts/routes/subscriptions.ts';
import * as cards from '@cobro/contracts/routes/saved-cards.ts';
import type { HandlersFor } from '@cobro/events/event-handlers.ts';
import { route, type ServedRoute } from '@cobro/service-kit/serve-route.ts';
import { answerAcquirerQuestion } from './acquirers/answer-acquirer-question.ts';
import { listOpenOperations } from './books/list-open-operations.ts';
import { listReconciliations } from './books/list-reconciliations.ts';
import { reportBankSettlement } from './books/report-bank-settlement.ts';
import { getPaymentMethod } from './cards/get-payment-method.ts';
import { listDeveloperPaymentMethods } from './cards/list-developer-payment-methods.ts';
import { listPaymentMethods } from './cards/list-payment-methods.ts';
import { revokePaymentMethod } from './cards/revoke-payment-method.ts';
import { savePaymentMethod } from './cards/save-payment-method.ts';
import { loadCheckoutAsset } from './checkout/load-checkout-asset.ts';
import { showCheckout } from './checkout/show-checkout.ts';
import { submitCheckout } from './checkout/submit-checkout.ts';
import { changeProduct } from './products/change-product.ts';
import { changeStock } from './products/change-stock.ts';
import { createProduct } from './products/create-product.ts';
import { getProduct } from './products/get-product.ts';
import { listDeveloperProducts } from './products/list-developer-products.ts';
import { listProducts } from './products/list-products.ts';
import type { Deps } from './deps.ts';
import { listFeesOf, removeFeeOf, setFeesOf } from './fees/fees-of-platform.ts';
import { listFeeChannels } from './fees/list-fee-channels.ts';
import { cancelOneTimePayment } from './one-time-payments/cancel-one-time-payment.ts';
import { createOneTimePayment } from './one-time-payments/create-one-time-payment.ts';
import { listOneTimePayments } from './one-time-payments/list-one-time-payments.ts';
import { payOneTimePayment } from './one-time-payments/pay-one-time-payment.ts';
import { readOneTimePayment } from './one-time-payments/read-one-time-payment.ts';
import { refundOneTimePayment } from './one-time-payments/refund-one-time-payment.ts';
import { viewOneTimePayment } from './one-time-payments/view-one-time-payment.ts';
import { onOrganization } from './organizations/on-organization.ts';
import { answerPaymentQuestion } from './payment-intents/answer-payment-question.ts';
import { answerTappedPaymentQuestion } from './payment-intents/answer-tapped-payment-question.ts';
import { onIntentPaymentRequested } from './payment-intents/on-intent-payment-requested.ts';
import { refundPaymentIntent } from './payment-intents/refund-payment-intent.ts';
import { changePaymentLink } from './payment-links/change-payment-link.ts';
import { createPaymentLink } from './payment-links/create-payment-link.ts';
import { getPaymentLink } from './payment-links/get-payment-link.ts';
import { listDeveloperPaymentLinks } from './payment-links/list-developer-payment-links.ts';
import { listLinkPayments } from './payment-links/list-link-payments.ts';
import { listPaymentLinks } from './payment-links/list-payment-links.ts';
import { payPaymentLink } from './payment-links/pay-payment-link.ts';
import { readLinkAttempt } from './payment-links/read-link-attempt.ts';
import { refundLinkPayment } from './payment-links/refund-link-payment.ts';
import { viewPaymentLink } from './payment-links/view-payment-link.ts';
import { answerHoldQuestion } from './payments/answer-hold-question.ts';
import { answerLiveCallsQuestion } from './payments/answer-live-calls-question.ts';
import { chargePaymentMethod } from './payments/charge-payment-method.ts';
import { getPayment } from './payments/get-payment.ts';
import { listPayments } from './payments/list-payments.ts';
import { listPendingPayments } from './payments/list-pending-payments.ts';
import { holdHandlers } from './payments/on-hold-ended.ts';
import { readPaymentTimeline } from './payments/read-payment-timeline.ts';
import { refundPayment } from './payments/refund-payment.ts';
import { acceptPromotion } from './promotions/accept-promotion.ts';
import { createPromotion } from './promotions/create-promotion.ts';
import { endPromotion, endPromotionAsSponsor } from './promotions/end-promotion.ts';
import { getPromotion, getPromotionAsSponsor } from './promotions/get-promotion.ts';
import { listDeveloperPromotions } from './promotions/list-developer-promotions.ts';
import { listPartnerPromotions } from './promotions/list-partner-promotions.ts';
import { listPromotions } from './promotions/list-promotions.ts';
import { onBranchChanged, onSalespersonChanged } from './salespeople/on-staff-changed.ts';
import type { payments } from './service.ts';
import { cancelSubscription } from './subscriptions/cancel-subscription.ts';
import { changeSubscription } from './subscriptions/change-subscription.ts';
import { chargeSubscriptionPeriod } from './subscriptions/charge-subscription-period.ts';
import { createSubscription } from './subscriptions/create-subscription.ts';
import { getSubscription } from './subscriptions/get-subscription.ts';
import { listDeveloperSubscriptions } from './subscriptions/list-developer-subscriptions.ts';
import { listSubscriptionPeriods } from './subscriptions/list-subscription-periods.ts';
import { listSubscriptions } from './subscriptions/list-subscriptions.ts';
import { pauseSubscription } from './subscriptions/pause-subscription.ts';
import { resumeSubscription } from './subscriptions/resume-subscription.ts';

/** Handlers of the events that payments follows, whether the broker brings them or another service hands them over. */
export const handlers = (deps: Deps): HandlersFor<(typeof payments)['follows'][number]> => ({
  ...holdHandlers,
  IntentPaymentRequested: onIntentPaymentRequested(deps),
  OrganizationRegistered: onOrganization(deps),
  OrganizationChanged: onOrganization(deps),
  SalespersonChanged: onSalespersonChanged,
  BranchChanged: onBranchChanged,
});

export const routes: readonly ServedRoute<Deps>[] = [
  route(cards.savePaymentMethod, savePaymentMethod),
  route(cards.listPaymentMethods, listPaymentMethods),
  route(cards.getPaymentMethod, getPaymentMethod),
  route(cards.revokePaymentMethod, revokePaymentMethod),
  route(cards.listDeveloperPaymentMethods, listDeveloperPaymentMethods),
  route(cards.readDeveloperPaymentMethod, getPaymentMethod),
  route(products.createProduct, createProduct),
  route(products.listProducts, listProducts),
  route(products.getProduct, getProduct),
  route(products.changeProduct, changeProduct),
  route(products.changeStock, changeStock),
  route(products.listDeveloperProducts, listDeveloperProducts),
  route(products.readDeveloperProduct, getProduct),
  route(cardPayments.chargePaymentMethod, chargePaymentMethod),
  route(cardPayments.listPayments, listPayments),
  route(cardPayments.getPayment, getPayment),
  route(cardPayments.refundPayment, refundPayment),
  route(timelines.listPendingPayments, listPendingPayments),
  route(settlements.reportBankSettlement, reportBankSettlement),
  route(timelines.readPaymentTimeline, readPaymentTimeline),
  route(links.createOneTimePayment, createOneTimePayment),
  route(links.listOneTimePayments, listOneTimePayments),
  route(links.viewOneTimePayment, viewOneTimePayment),
  route(links.readOneTimePayment, readOneTimePayment),
  route(links.cancelOneTimePayment, cancelOneTimePayment),
  route(links.payOneTimePayment, payOneTimePayment),
  route(links.refundOneTimePayment, refundOneTimePayment),
  route(paymentLinks.createPaymentLink, createPaymentLink),
  route(paymentLinks.listPaymentLinks, listPaymentLinks),
  route(paymentLinks.getPaymentLink, getPaymentLink),
  route(paymentLinks.listDeveloperPaymentLinks, listDeveloperPaymentLinks),
  route(paymentLinks.readDeveloperPaymentLink, getPaymentLink),
  route(paymentLinks.changePaymentLink, changePaymentLink),
  route(paymentLinks.viewPaymentLink, viewPaymentLink),
  route(paymentLinks.payPaymentLink, payPaymentLink),
  route(paymentLinks.readLinkAttempt, readLinkAttempt),
  route(paymentLinks.listLinkPayments, listLinkPayments),
  route(paymentLinks.refundLinkPayment, refundLinkPayment),
  route(checkout.showCheckout, showCheckout),
  route(checkout.submitCheckout, submitCheckout),
  route(checkout.loadCheckoutAsset, loadCheckoutAsset),
  route(fees.listFeeChannels, listFeeChannels),
  route(operations.listOpenOperations, listOpenOperations),
  route(operations.listReconciliations, listReconciliations),
  route(fees.listFeesOf, listFeesOf),
  route(fees.setFeesOf, setFeesOf),
  route(fees.removeFeeOf, removeFeeOf),
  route(promotions.createPromotion, createPromotion),
  route(promotions.listPromotions, listPromotions),
  route(promotions.getPromotion, getPromotion),
  route(promotions.listDeveloperPromotions, listDeveloperPromotions),
  route(promotions.readDeveloperPromotion, getPromotion),
  route(promotions.endPromotion, endPromotion),
  route(promotions.listPartnerPromotions, listPartnerPromotions),
  route(promotions.readPartnerPromotion, getPromotionAsSponsor),
  route(promotions.acceptPromotion, acceptPromotion),
  route(promotions.endPartnerPromotion, endPromotionAsSponsor),
  route(subscriptions.createSubscription, createSubscription),
  route(subscriptions.listSubscriptions, listSubscriptions),
  route(subscriptions.getSubscription, getSubscription),
  route(subscriptions.listDeveloperSubscriptions, listDeveloperSubscriptions),
  route(subscriptions.readDeveloperSubscription, getSubscription),
  route(subscriptions.changeSubscription, changeSubscription),
  route(subscriptions.cancelSubscription, cancelSubscription),
  route(subscriptions.pauseSubscription, pauseSubscription),
  route(subscriptions.resumeSubscription, resumeSubscription),
  route(subscriptions.listSubscriptionPeriods, listSubscriptionPeriods),
  route(subscriptions.chargeSubscriptionPeriod, chargeSubscriptionPeriod),
  route(intents.refundPaymentIntent, refundPaymentIntent),
  route(askForAcquirer, answerAcquirerQuestion),
  route(askForHold, answerHoldQuestion),
  route(askForLiveCalls, answerLiveCallsQuestion),
  route(askForPaymentOfIntent, answerPaymentQuestion),
  route(askForTappedPayment, answerTappedPaymentQuestion),
];
