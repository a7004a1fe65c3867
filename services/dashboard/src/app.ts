import type { HandlersFor } from '@cobro/events/event-handlers.ts';
import type { TimedWork } from '@cobro/frame/run-framed.ts';
import type { Deps } from './deps.ts';
import { forAnybody, forSession, type Screen, signedIn } from './http/screen.ts';
import { onOrganization } from './people/on-organization.ts';
import type { dashboard } from './service.ts';
import { chooseScope, showScopes } from './sessions/choose-scope.ts';
import { goHome } from './sessions/go-home.ts';
import { signOut } from './sessions/sign-out.ts';
import { acceptInvitation, showInvitation } from './sign-in/accept-invitation.ts';
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
];

export const jobs: readonly TimedWork<Deps>[] = [
  { name: 'prune-sign-ins', everyMs: 600_000, run: pruneSignIns },
  { name: 'reseal-factors', everyMs: 3_600_000, run: resealFactors },
];
