import type { HandlersFor } from '@cobro/events/event-handlers.ts';
import type { TimedWork } from '@cobro/frame/run-framed.ts';
import { showAudit } from './audit/show-audit.ts';
import type { Deps } from './deps.ts';
import { moveClock, showClock } from './clock/move-clock.ts';
import { showCalculator } from './calculator/show-calculator.ts';
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
import type { dashboard } from './service.ts';
import { chooseScope, showScopes } from './sessions/choose-scope.ts';
import { endDevice, renewRecoveryCodes, showDevices } from './sessions/devices.ts';
import { goHome } from './sessions/go-home.ts';
import { signOut } from './sessions/sign-out.ts';
import { acceptInvitation, showInvitation } from './sign-in/accept-invitation.ts';
import { waitForNews } from './live/wait-for-news.ts';
import { cancelLink, showCancelLink } from './links/cancel-link.ts';
import { createLink, showNewLink } from './links/create-link.ts';
import { showLink, showPoster } from './links/show-link.ts';
import { showLinks } from './links/show-links.ts';
import { actOnPayment, showAction } from './payments/act-on-payment.ts';
import { showPayment } from './payments/show-payment.ts';
import { showPayments } from './payments/show-payments.ts';
import { cancelAtTerminal, sendToTerminal } from './terminals/send-to-terminal.ts';
import { showTerminals } from './terminals/show-terminals.ts';
import { pruneSignIns } from './sign-in/prune-sign-ins.job.ts';
import { resealFactors } from './sign-in/reseal-factors.job.ts';
import { setUpFactor, showSetUp } from './sign-in/set-up-factor.ts';
import { showSignIn, signIn } from './sign-in/sign-in.ts';
import { confirm, showConfirm, showFactor, submitFactor } from './sign-in/submit-factor.ts';

export const handlers: HandlersFor<(typeof dashboard)['follows'][number]> = {
  OrganizationRegistered: onOrganization,
  OrganizationChanged: onOrganization,
};

export const screens: readonly Screen[] = [
  forAnybody('GET', '/sign-in', showSignIn),
  forAnybody('POST', '/sign-in', signIn),
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
  signedIn('GET', '/', { may: 'read' }, goHome),
  signedIn('GET', '/payments', { may: 'read', of: ['organization'] }, showPayments),
  signedIn('GET', '/payments/:id', { may: 'read', of: ['organization'] }, showPayment),
  signedIn('GET', '/payments/:id/:action', { may: 'operate', of: ['organization'] }, showAction),
  signedIn('POST', '/payments/:id/:action', { may: 'operate', of: ['organization'] }, actOnPayment),
  signedIn('GET', '/news', { may: 'read', of: ['organization'] }, waitForNews),
  signedIn('GET', '/links', { may: 'read', of: ['organization'] }, showLinks),
  signedIn('GET', '/links/new', { may: 'operate', of: ['organization'] }, showNewLink),
  signedIn('POST', '/links/new', { may: 'operate', of: ['organization'] }, createLink),
  signedIn('GET', '/links/:id', { may: 'read', of: ['organization'] }, showLink),
  signedIn('GET', '/links/:id/poster', { may: 'read', of: ['organization'] }, showPoster),
  signedIn('GET', '/links/:id/cancel', { may: 'operate', of: ['organization'] }, showCancelLink),
  signedIn('POST', '/links/:id/cancel', { may: 'operate', of: ['organization'] }, cancelLink),
  signedIn('GET', '/calculator', { may: 'read', of: ['organization'] }, showCalculator),
  signedIn('GET', '/terminals', { may: 'read', of: ['organization'] }, showTerminals),
  signedIn('POST', '/terminals', { may: 'operate', of: ['organization'] }, sendToTerminal),
  signedIn('POST', '/terminals/cancel', { may: 'operate', of: ['organization'] }, cancelAtTerminal),
  signedIn('GET', '/clock', { may: 'operate' }, showClock),
  signedIn('POST', '/clock', { may: 'operate' }, moveClock),
  signedIn('GET', '/settings', { may: 'read' }, showDevices),
  signedIn('POST', '/settings/devices/:id/end', { may: 'read' }, endDevice),
  signedIn('POST', '/settings/recovery-codes', { may: 'read', proved: true }, renewRecoveryCodes),
  signedIn('GET', '/settings/people', { may: 'own' }, showPeople),
  signedIn('POST', '/settings/people/invite', { may: 'own', proved: true }, invitePerson),
  signedIn('POST', '/settings/people/:id/role', { may: 'own', proved: true }, changeMembersRole),
  signedIn('POST', '/settings/people/:id/remove', { may: 'own', proved: true }, removeMember),
  signedIn('POST', '/settings/people/:id/reset', { may: 'own', proved: true }, makeResetLink),
  signedIn('POST', '/settings/invitations/:id/withdraw', { may: 'own', proved: true }, withdraw),
  signedIn('GET', '/settings/audit', { may: 'own' }, showAudit),
];

export const jobs: readonly TimedWork<Deps>[] = [
  { name: 'prune-sign-ins', everyMs: 600_000, run: pruneSignIns },
  { name: 'reseal-factors', everyMs: 3_600_000, run: resealFactors },
];
