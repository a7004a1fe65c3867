import * as contracts from '@cobro/contracts/routes/payment-reads.ts';
import * as settlements from '@cobro/contracts/routes/settlements.ts';
import * as reports from '@cobro/contracts/routes/reports.ts';
import type { EventType } from '@cobro/contracts/events.ts';
import type { HandlersFor } from '@cobro/events/event-handlers.ts';
import { route, type ServedRoute } from '@cobro/service-kit/serve-route.ts';
import type { TimedWork } from '@cobro/frame/run-framed.ts';
import type { Deps } from './deps.ts';
import { exportPayments } from './export-payments.ts';
import { explainDisbursement } from './explain-disbursement.ts';
import { foldChanges } from './fold-changes.job.ts';
import { listDeveloperPayments } from './list-developer-payments.ts';
import { listPartnerPayments } from './list-partner-payments.ts';
import { onHoldCaptured } from './on-hold-captured.ts';
import { onHoldExpired } from './on-hold-expired.ts';
import { onHoldPlaced } from './on-hold-placed.ts';
import { onHoldReleased } from './on-hold-released.ts';
import { onOrganizationChanged } from './on-organization-changed.ts';
import { onPaymentConfirmed } from './on-payment-confirmed.ts';
import { onPaymentDeclined } from './on-payment-declined.ts';
import { onPaymentRefunded } from './on-payment-refunded.ts';
import { onBranchChanged, onSalespersonChanged, onTerminalChanged } from './on-registry-changed.ts';
import { readDeveloperPayment } from './read-developer-payment.ts';
import { reportDays } from './report-days.ts';
import { reportHolds } from './report-holds.ts';
import { reportPayments } from './report-payments.ts';
import { reportTakings } from './report-takings.ts';
import { reportSettlement } from './report-settlement.ts';

/** For events of saved cards, intents, keys and other things that reporting does not list. They cost no statement. */
const nothingToProject = { concerns: () => false, apply: () => {} };

/** Reporting follows every event and projects what the events say of payments and organizations. */
export const handlers = (): HandlersFor<EventType> => ({
  OrganizationRegistered: onOrganizationChanged,
  OrganizationChanged: onOrganizationChanged,
  PaymentConfirmed: onPaymentConfirmed,
  PaymentDeclined: onPaymentDeclined,
  PaymentRefunded: onPaymentRefunded,
  HoldPlaced: onHoldPlaced,
  HoldCaptured: onHoldCaptured,
  HoldReleased: onHoldReleased,
  HoldExpired: onHoldExpired,
  TerminalChanged: onTerminalChanged,
  BranchChanged: onBranchChanged,
  SalespersonChanged: onSalespersonChanged,
  KeyCreated: nothingToProject,
  KeyRevoked: nothingToProject,
  PaymentMethodSaved: nothingToProject,
  PaymentMethodRevoked: nothingToProject,
  PaymentMethodExpired: nothingToProject,
  OneTimePaymentPaid: nothingToProject,
  OneTimePaymentCancelled: nothingToProject,
  OneTimePaymentExpired: nothingToProject,
  PaymentLinkSoldOut: nothingToProject,
  ProductOutOfStock: nothingToProject,
  PromotionAccepted: nothingToProject,
  PromotionEnded: nothingToProject,
  SubscriptionChanged: nothingToProject,
  HoldEnding: nothingToProject,
  IntentPaymentRequested: nothingToProject,
  IntentConfirmed: nothingToProject,
  IntentSuperseded: nothingToProject,
  IntentCancelled: nothingToProject,
  IntentExpired: nothingToProject,
});

export const routes: readonly ServedRoute<Deps>[] = [
  route(contracts.listDeveloperPayments, listDeveloperPayments),
  route(contracts.readDeveloperPayment, readDeveloperPayment),
  route(contracts.listPartnerPayments, listPartnerPayments),
  route(reports.reportDays, reportDays),
  route(reports.reportTakings, reportTakings),
  route(reports.reportHolds, reportHolds),
  route(reports.reportPayments, reportPayments),
  route(reports.exportPayments, exportPayments),
  route(reports.explainDisbursement, explainDisbursement),
  route(settlements.reportSettlement, reportSettlement),
];

export const jobs: readonly TimedWork<Deps>[] = [{ name: 'fold-changes', everyMs: 1_000, run: foldChanges }];
