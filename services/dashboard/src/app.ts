import type { HandlersFor } from '@cobro/events/event-handlers.ts';
import type { TimedWork } from '@cobro/frame/run-framed.ts';
import { exportAudit } from './audit/export-audit.ts';
import { showAudit } from './audit/show-audit.ts';
import { enterDeposit, showDepositOfDay } from './deposits/deposit-of-day.ts';
import { showDeposits } from './deposits/show-deposits.ts';
import type { Deps } from './deps.ts';
import { showHolds, showHoldsOfDay } from './holds/show-holds.ts';
import { showHome } from './home/show-home.ts';
import { moveClock, showClock } from './clock/move-clock.ts';
import { showFees } from './calculator/show-fees.ts';
import { showCalculator } from './calculator/show-calculator.ts';
import { actOnWebhook, resendDelivery, showWebhookAction } from './developers/act-on-webhook.ts';
import { actOnKey, showKeyAction } from './developers/act-on-key.ts';
import { makeKey, showMakeKey } from './developers/make-key.ts';
import { onKeyCreated, onKeyRevoked } from './developers/on-key-changed.ts';
import { makeWebhook, showMakeWebhook } from './developers/make-webhook.ts';
import { showEvent, showEvents } from './developers/show-events.ts';
import { goToDevelopers, showKeys } from './developers/show-keys.ts';
import { showWebhook, showWebhooks } from './developers/show-webhooks.ts';
import { forAnybody, forSession, type Screen, signedIn } from './http/screen.ts';
import {
  changeMembersRole,
  invitePerson,
  makeResetLink,
  removeMember,
  showPeople,
  withdraw,
} from './people/manage-people.ts';
import { onOrganization } from './people/on-organization.ts';
import { registerPasskey, removePasskey, showNewPasskey } from './passkeys/manage-passkeys.ts';
import { confirmByPasskey, signInByPasskey, submitPasskey } from './passkeys/sign-in-by-passkey.ts';
import { createOrganization, createPartner, showNewOrganization, showNewPartner } from './platform/create-place.ts';
import { removeFeeOf, setFeesOf, showFeesOf } from './platform/fees.ts';
import { endLending, lend } from './platform/lend.ts';
import { inviteFirstOwner, lookAt, showOrganizations } from './platform/organizations.ts';
import { showOperations } from './platform/show-operations.ts';
import { inviteFirstOwnerOfPartner, showPartners } from './platform/partners.ts';
import { changeFactor, showNewFactor } from './profile/change-factor.ts';
import { changeOrganization, showOrganization } from './profile/organization.ts';
import { changeOwnPassword, changeProfile, showProfile } from './profile/profile.ts';
import type { dashboard } from './service.ts';
import { chooseScope, showScopes } from './sessions/choose-scope.ts';
import { endDevice, renewRecoveryCodes, showDevices } from './sessions/devices.ts';
import { signOut } from './sessions/sign-out.ts';
import { acceptInvitation, showInvitation } from './sign-in/accept-invitation.ts';
import { waitForNews } from './live/wait-for-news.ts';
import { cancelLink, showCancelLink } from './links/cancel-link.ts';
import { createLink, showNewLink } from './links/create-link.ts';
import { showLink, showPoster } from './links/show-link.ts';
import { showLinks } from './links/show-links.ts';
import { actOnPayment, showAction } from './payments/act-on-payment.ts';
import {
  actOnPartnerPromotion,
  showPartnerPromotion,
  showPartnerPromotionAction,
} from './partner/act-on-partner-promotion.ts';
import { showPartnersOrganizations } from './partner/show-organizations.ts';
import { exportPartnerPayments } from './partner/export-partner-payments.ts';
import { showPartnerPayments } from './partner/show-partner-payments.ts';
import { showPartnerPromotions } from './partner/show-partner-promotions.ts';
import { exportPayments } from './payments/export-payments.ts';
import { pruneRefundDays } from './payments/refund-day.store.ts';
import { showPayment } from './payments/show-payment.ts';
import { showPayments } from './payments/show-payments.ts';
import { createPaymentLink, showNewPaymentLink } from './payment-links/create-payment-link.ts';
import { showPaymentLink, showPaymentLinkPoster } from './payment-links/show-payment-link.ts';
import { showPaymentLinks } from './payment-links/show-payment-links.ts';
import { showSwitch, switchPaymentLink } from './payment-links/switch-payment-link.ts';
import { actOnSubscription, showSubscriptionAction } from './subscriptions/act-on-subscription.ts';
import { createSubscription, showNewSubscription } from './subscriptions/create-subscription.ts';
import { showSubscription } from './subscriptions/show-subscription.ts';
import { showSubscriptions } from './subscriptions/show-subscriptions.ts';
import { actOnProduct, showProductAction } from './products/act-on-product.ts';
import { createProduct, showNewProduct } from './products/create-product.ts';
import { showProduct } from './products/show-product.ts';
import { showProducts } from './products/show-products.ts';
import { createPromotion, showNewPromotion } from './promotions/create-promotion.ts';
import { endPromotion, showEndPromotion } from './promotions/end-promotion.ts';
import { showPromotion } from './promotions/show-promotion.ts';
import { showPromotions } from './promotions/show-promotions.ts';
import { cancelAtTerminal, sendToTerminal } from './terminals/send-to-terminal.ts';
import { addBranch, addSeller } from './sellers/add-seller.ts';
import { changeBranch, changeSeller, showBranch, showSeller } from './sellers/change-seller.ts';
import { showSellers } from './sellers/show-sellers.ts';
import { showTakings } from './takings/show-takings.ts';
import { showTerminals } from './terminals/show-terminals.ts';
import { pruneSignIns } from './sign-in/prune-sign-ins.job.ts';
import { resealFactors } from './sign-in/reseal-factors.job.ts';
import { setUpFactor, showSetUp } from './sign-in/set-up-factor.ts';
import { showSignIn, signIn } from './sign-in/sign-in.ts';
import { confirm, showConfirm } from './sign-in/confirm.ts';
import { showFactor, submitFactor } from './sign-in/submit-factor.ts';
import { comeBack } from './sign-on/come-back.ts';
import { enterSignOn, removeSignOn, requireSignOn, showSignOn } from './sign-on/manage-sign-on.ts';
import {
  acceptAtIssuer,
  askToLink,
  askToSignIn,
  confirmAtIssuer,
  linkAtIssuer,
  signInAtIssuer,
  testIssuer,
} from './sign-on/visit-issuer.ts';

export const handlers: HandlersFor<(typeof dashboard)['follows'][number]> = {
  OrganizationRegistered: onOrganization,
  OrganizationChanged: onOrganization,
  KeyCreated: onKeyCreated,
  KeyRevoked: onKeyRevoked,
};

/** Scopes with API keys; the platform has none. */
const withKeys = ['organization', 'partner'] as const;

const ofOwner = { may: 'own', of: ['organization'], proved: true } as const;
const ofAdmin = { may: 'own', of: ['platform'], proved: true } as const;
/** Accepting a promotion costs the partner money. */
const accepting = { may: 'own', of: ['partner'], proved: true } as const;
const linking = { may: 'read', proved: true, ownAccount: true, withoutIssuer: true } as const;

export const screens: readonly Screen[] = [
  forAnybody('GET', '/sign-in', showSignIn),
  forAnybody('POST', '/sign-in', signIn),
  forAnybody('POST', '/sign-in/passkey', signInByPasskey),
  forSession('POST', '/sign-in/factor/passkey', submitPasskey),
  forSession('POST', '/confirm/passkey', confirmByPasskey),
  forSession('POST', '/confirm/oidc', confirmAtIssuer),
  forAnybody('GET', '/sign-in/oidc/:id/callback', comeBack),
  forAnybody('GET', '/sign-in/oidc/:id', askToSignIn),
  forAnybody('POST', '/sign-in/oidc/:id', signInAtIssuer),
  forAnybody('POST', '/invitation/:token/oidc', acceptAtIssuer),
  forSession('GET', '/sign-in/factor', showFactor),
  forSession('POST', '/sign-in/factor', submitFactor),
  forAnybody('GET', '/invitation/:token', showInvitation),
  forAnybody('POST', '/invitation/:token', acceptInvitation),
  forSession('GET', '/second-factor', showSetUp),
  forSession('POST', '/second-factor', setUpFactor),
  forSession('GET', '/confirm', showConfirm),
  forSession('POST', '/confirm', confirm),
  forSession('GET', '/scope', showScopes),
  forSession('POST', '/scope', chooseScope),
  forSession('POST', '/sign-out', signOut),
  signedIn('GET', '/', { may: 'read' }, showHome),
  signedIn('GET', '/payments', { may: 'read', of: ['organization'] }, showPayments),
  signedIn('GET', '/payments.csv', { may: 'read', of: ['organization'], proved: true }, exportPayments),
  signedIn('GET', '/payments/:id', { may: 'read', of: ['organization'] }, showPayment),
  signedIn('GET', '/payments/:id/:action', { may: 'operate', of: ['organization'] }, showAction),
  signedIn('POST', '/payments/:id/:action', { may: 'operate', of: ['organization'] }, actOnPayment),
  signedIn('GET', '/holds', { may: 'read', of: ['organization'] }, showHolds),
  signedIn('GET', '/holds/:day', { may: 'read', of: ['organization'] }, showHoldsOfDay),
  signedIn('GET', '/deposits', { may: 'read', of: ['organization'] }, showDeposits),
  signedIn('GET', '/deposits/:day', { may: 'read', of: ['organization'] }, showDepositOfDay),
  signedIn('POST', '/deposits/:day', { may: 'operate', of: ['organization'] }, enterDeposit),
  signedIn('GET', '/partner/payments', { may: 'read', of: ['partner'] }, showPartnerPayments),
  signedIn('GET', '/partner/payments.csv', { may: 'read', of: ['partner'], proved: true }, exportPartnerPayments),
  signedIn('GET', '/partner/organizations', { may: 'read', of: ['partner'] }, showPartnersOrganizations),
  signedIn('GET', '/partner/promotions', { may: 'read', of: ['partner'] }, showPartnerPromotions),
  signedIn('GET', '/partner/promotions/:id', { may: 'read', of: ['partner'] }, showPartnerPromotion),
  signedIn('GET', '/partner/promotions/:id/accept', accepting, showPartnerPromotionAction('accept')),
  signedIn('POST', '/partner/promotions/:id/accept', accepting, actOnPartnerPromotion('accept')),
  signedIn('GET', '/partner/promotions/:id/end', { may: 'own', of: ['partner'] }, showPartnerPromotionAction('end')),
  signedIn('POST', '/partner/promotions/:id/end', { may: 'own', of: ['partner'] }, actOnPartnerPromotion('end')),
  signedIn('GET', '/news', { may: 'read', of: ['organization'] }, waitForNews),
  signedIn('GET', '/links', { may: 'read', of: ['organization'] }, showLinks),
  signedIn('GET', '/links/new', { may: 'operate', of: ['organization'] }, showNewLink),
  signedIn('POST', '/links/new', { may: 'operate', of: ['organization'] }, createLink),
  signedIn('GET', '/links/:id', { may: 'read', of: ['organization'] }, showLink),
  signedIn('GET', '/links/:id/poster', { may: 'read', of: ['organization'] }, showPoster),
  signedIn('GET', '/links/:id/cancel', { may: 'operate', of: ['organization'] }, showCancelLink),
  signedIn('POST', '/links/:id/cancel', { may: 'operate', of: ['organization'] }, cancelLink),
  signedIn('GET', '/subscriptions', { may: 'read', of: ['organization'] }, showSubscriptions),
  signedIn('GET', '/subscriptions/new', { may: 'operate', of: ['organization'] }, showNewSubscription),
  signedIn('POST', '/subscriptions/new', { may: 'operate', of: ['organization'] }, createSubscription),
  signedIn('GET', '/subscriptions/:id', { may: 'read', of: ['organization'] }, showSubscription),
  signedIn('GET', '/subscriptions/:id/:action', { may: 'operate', of: ['organization'] }, showSubscriptionAction),
  signedIn('POST', '/subscriptions/:id/:action', { may: 'operate', of: ['organization'] }, actOnSubscription),
  signedIn('GET', '/payment-links', { may: 'read', of: ['organization'] }, showPaymentLinks),
  signedIn('GET', '/payment-links/new', { may: 'operate', of: ['organization'] }, showNewPaymentLink),
  signedIn('POST', '/payment-links/new', { may: 'operate', of: ['organization'] }, createPaymentLink),
  signedIn('GET', '/payment-links/:id', { may: 'read', of: ['organization'] }, showPaymentLink),
  signedIn('GET', '/payment-links/:id/poster', { may: 'read', of: ['organization'] }, showPaymentLinkPoster),
  signedIn('GET', '/payment-links/:id/on', { may: 'operate', of: ['organization'] }, showSwitch(true)),
  signedIn('POST', '/payment-links/:id/on', { may: 'operate', of: ['organization'] }, switchPaymentLink(true)),
  signedIn('GET', '/payment-links/:id/off', { may: 'operate', of: ['organization'] }, showSwitch(false)),
  signedIn('POST', '/payment-links/:id/off', { may: 'operate', of: ['organization'] }, switchPaymentLink(false)),
  signedIn('GET', '/products', { may: 'read', of: ['organization'] }, showProducts),
  signedIn('GET', '/products/new', { may: 'operate', of: ['organization'] }, showNewProduct),
  signedIn('POST', '/products/new', { may: 'operate', of: ['organization'] }, createProduct),
  signedIn('GET', '/products/:id', { may: 'read', of: ['organization'] }, showProduct),
  signedIn('GET', '/products/:id/:action', { may: 'operate', of: ['organization'] }, showProductAction),
  signedIn('POST', '/products/:id/:action', { may: 'operate', of: ['organization'] }, actOnProduct),
  signedIn('GET', '/promotions', { may: 'read', of: ['organization'] }, showPromotions),
  signedIn('GET', '/promotions/new', { may: 'operate', of: ['organization'] }, showNewPromotion),
  signedIn('POST', '/promotions/new', { may: 'operate', of: ['organization'] }, createPromotion),
  signedIn('GET', '/promotions/:id', { may: 'read', of: ['organization'] }, showPromotion),
  signedIn('GET', '/promotions/:id/end', { may: 'operate', of: ['organization'] }, showEndPromotion),
  signedIn('POST', '/promotions/:id/end', { may: 'operate', of: ['organization'] }, endPromotion),
  signedIn('GET', '/calculator', { may: 'read', of: ['organization'] }, showCalculator),
  signedIn('GET', '/fees', { may: 'read', of: ['organization'] }, showFees),
  signedIn('GET', '/terminals', { may: 'read', of: ['organization'] }, showTerminals),
  signedIn('POST', '/terminals', { may: 'operate', of: ['organization'] }, sendToTerminal),
  signedIn('POST', '/terminals/cancel', { may: 'operate', of: ['organization'] }, cancelAtTerminal),
  signedIn('GET', '/sellers', { may: 'read', of: ['organization'] }, showSellers),
  signedIn('POST', '/sellers', { may: 'operate', of: ['organization'] }, addSeller),
  signedIn('POST', '/sellers/branches', { may: 'operate', of: ['organization'] }, addBranch),
  signedIn('GET', '/sellers/branches/:id', { may: 'operate', of: ['organization'] }, showBranch),
  signedIn('POST', '/sellers/branches/:id', { may: 'operate', of: ['organization'] }, changeBranch),
  signedIn('GET', '/sellers/:id', { may: 'operate', of: ['organization'] }, showSeller),
  signedIn('POST', '/sellers/:id', { may: 'operate', of: ['organization'] }, changeSeller),
  signedIn('GET', '/takings', { may: 'read', of: ['organization'] }, showTakings),
  signedIn('GET', '/clock', { may: 'operate' }, showClock),
  signedIn('POST', '/clock', { may: 'operate' }, moveClock),
  signedIn('GET', '/developers', { may: 'read', of: ['organization', 'partner'] }, goToDevelopers),
  signedIn('GET', '/developers/keys', { may: 'own', of: withKeys }, showKeys),
  signedIn('GET', '/developers/keys/new', { may: 'own', of: withKeys, proved: true }, showMakeKey),
  signedIn('POST', '/developers/keys', { may: 'own', of: withKeys, proved: true }, makeKey),
  signedIn('GET', '/developers/keys/:id/:action', { may: 'own', of: withKeys, proved: true }, showKeyAction),
  signedIn('POST', '/developers/keys/:id/:action', { may: 'own', of: withKeys, proved: true }, actOnKey),
  signedIn('GET', '/developers/events', { may: 'read', of: ['organization'] }, showEvents),
  signedIn('GET', '/developers/events/:id', { may: 'read', of: ['organization'] }, showEvent),
  signedIn('GET', '/developers/webhooks', { may: 'read', of: ['organization'] }, showWebhooks),
  signedIn('POST', '/developers/webhooks', ofOwner, makeWebhook),
  signedIn('GET', '/developers/webhooks/new', ofOwner, showMakeWebhook),
  signedIn('GET', '/developers/webhooks/:id', { may: 'read', of: ['organization'] }, showWebhook),
  signedIn('POST', '/developers/webhooks/:id/deliveries/:deliveryId/resend', ofOwner, resendDelivery),
  signedIn('GET', '/developers/webhooks/:id/:action', ofOwner, showWebhookAction),
  signedIn('POST', '/developers/webhooks/:id/:action', ofOwner, actOnWebhook),
  signedIn('GET', '/settings', { may: 'read' }, showDevices),
  signedIn('POST', '/settings/devices/:id/end', { may: 'read' }, endDevice),
  signedIn('POST', '/settings/recovery-codes', { may: 'read', proved: true, ownAccount: true }, renewRecoveryCodes),
  signedIn('GET', '/settings/passkeys/new', { may: 'read', proved: true, ownAccount: true }, showNewPasskey),
  signedIn('POST', '/settings/passkeys', { may: 'read', proved: true, ownAccount: true }, registerPasskey),
  signedIn('POST', '/settings/passkeys/:id/remove', { may: 'read', proved: true, ownAccount: true }, removePasskey),
  signedIn('GET', '/settings/organization', ofOwner, showOrganization),
  signedIn('POST', '/settings/organization', ofOwner, changeOrganization),
  signedIn('GET', '/settings/people', { may: 'own' }, showPeople),
  signedIn('POST', '/settings/people/invite', { may: 'own', proved: true }, invitePerson),
  signedIn('POST', '/settings/people/:id/role', { may: 'own', proved: true }, changeMembersRole),
  signedIn('POST', '/settings/people/:id/remove', { may: 'own', proved: true }, removeMember),
  signedIn('POST', '/settings/people/:id/reset', { may: 'own', proved: true }, makeResetLink),
  signedIn('POST', '/settings/invitations/:id/withdraw', { may: 'own', proved: true }, withdraw),
  signedIn('POST', '/settings/lend', { may: 'own', of: ['organization'], proved: true }, lend),
  signedIn('POST', '/settings/lend/end', { may: 'own', of: ['organization'], proved: true }, endLending),
  signedIn('GET', '/platform/operations', { may: 'own', of: ['platform'] }, showOperations),
  signedIn('GET', '/platform/organizations', { may: 'own', of: ['platform'] }, showOrganizations),
  signedIn(
    'POST',
    '/platform/organizations/:id/invite',
    { may: 'own', of: ['platform'], proved: true },
    inviteFirstOwner,
  ),
  signedIn('GET', '/platform/organizations/new', ofAdmin, showNewOrganization),
  signedIn('POST', '/platform/organizations/new', ofAdmin, createOrganization),
  signedIn('GET', '/platform/organizations/:id/fees', ofAdmin, showFeesOf),
  signedIn('POST', '/platform/organizations/:id/fees', ofAdmin, setFeesOf),
  signedIn('POST', '/platform/organizations/:id/fees/remove', ofAdmin, removeFeeOf),
  signedIn('GET', '/platform/partners/new', ofAdmin, showNewPartner),
  signedIn('POST', '/platform/partners/new', ofAdmin, createPartner),
  signedIn('GET', '/platform/partners', { may: 'own', of: ['platform'] }, showPartners),
  signedIn(
    'POST',
    '/platform/partners/:id/invite',
    { may: 'own', of: ['platform'], proved: true },
    inviteFirstOwnerOfPartner,
  ),
  signedIn('POST', '/platform/organizations/:id/look', { may: 'own', of: ['platform'], proved: true }, lookAt),
  signedIn('GET', '/settings/profile', { may: 'read' }, showProfile),
  signedIn('POST', '/settings/profile', { may: 'read', ownAccount: true }, changeProfile),
  signedIn('POST', '/settings/profile/password', { may: 'read', proved: true, ownAccount: true }, changeOwnPassword),
  signedIn('GET', '/settings/factor', { may: 'read', proved: true, ownAccount: true }, showNewFactor),
  signedIn('POST', '/settings/factor', { may: 'read', proved: true, ownAccount: true }, changeFactor),
  signedIn('GET', '/settings/sign-on', { may: 'own' }, showSignOn),
  signedIn('POST', '/settings/sign-on', { may: 'own', proved: true }, enterSignOn),
  signedIn('POST', '/settings/sign-on/test', { may: 'own', proved: true }, testIssuer),
  signedIn('GET', '/settings/sign-on/link', linking, askToLink),
  signedIn('POST', '/settings/sign-on/link', linking, linkAtIssuer),
  signedIn('POST', '/settings/sign-on/require', { may: 'own', proved: true }, requireSignOn),
  signedIn('POST', '/settings/sign-on/remove', { may: 'own', proved: true }, removeSignOn),
  signedIn('GET', '/settings/audit', { may: 'own' }, showAudit),
  signedIn('GET', '/settings/audit.csv', { may: 'own', proved: true }, exportAudit),
];

export const jobs: readonly TimedWork<Deps>[] = [
  { name: 'prune-sign-ins', everyMs: 600_000, run: pruneSignIns },
  { name: 'prune-refund-days', everyMs: 3_600_000, run: ({ db }) => pruneRefundDays(db) },
  { name: 'reseal-factors', everyMs: 3_600_000, run: resealFactors },
];
