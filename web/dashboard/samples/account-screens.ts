import type { Language } from '@cobro/html/language.ts';
import { invitationPage, type InvitationView } from '../src/account/invitation.ts';
import { issuerProblemPage } from '../src/account/issuer-problem.ts';
import { problemPage } from '../src/account/problem.ts';
import { scopePage } from '../src/account/scope.ts';
import { recoveryPage, setUpPage } from '../src/account/second-factor.ts';
import { confirmAtIssuerPage, confirmPage, factorPage, signInPage } from '../src/account/sign-in.ts';
import { askForIssuerPage, linkedPage } from '../src/account/to-issuer.ts';
import { accountWords } from '../src/account/words.ts';
import type { Content, Frame } from '../src/shell/frame.ts';
import type { Screen } from './payment-screens.ts';
import { ids, names, sampleFrame } from './sample-frame.ts';

const passkey = {
  challenge: 'Y2hhbGxlbmdl',
  rpId: 'localhost',
  userVerification: 'required',
  timeout: 300_000,
} as const;
const place = { scopeName: names.long, issuer: 'https://login.cafe-tacuba.example/realms/main' };
/** A drawing as wide as the QR code of a secret. */
const qr =
  '<svg viewBox="0 0 49 49" xmlns="http://www.w3.org/2000/svg"><rect width="49" height="49" fill="#fff"/><path d="M4 4h7v7h-7zM38 4h7v7h-7zM4 38h7v7h-7zM20 20h9v9h-9z"/></svg>';

const aloneIn =
  (language: Language) =>
  (address: string, content: (frame: Frame) => Content): Screen => {
    const frame: Frame = { ...sampleFrame(language, address), acting: null };
    return { frame, content: content(frame) };
  };

/** Screens of signing in at an issuer. */
function issuerScreens(language: Language): Record<string, Screen> {
  const alone = aloneIn(language);
  return {
    'sign-in-ask-issuer': alone(`/sign-in/oidc/${ids.key}`, (frame) =>
      askForIssuerPage(frame, { kind: 'signIn', action: `/sign-in/oidc/${ids.key}`, next: '/', ...place }),
    ),
    'sign-in-linked': alone(`/sign-in/oidc/${ids.key}/callback`, (frame) =>
      linkedPage(frame, { subject: names.hostile, ...place }),
    ),
    'sign-in-stranger': alone(`/sign-in/oidc/${ids.key}/callback`, (frame) =>
      issuerProblemPage(frame, { kind: 'stranger', status: 403, requestId: ids.key }),
    ),
  };
}

/** The screens for people who are not signed in. */
export function accountScreens(language: Language): Record<string, Screen> {
  const { problems } = accountWords[language];
  const alone = aloneIn(language);
  const invited = (view: Partial<InvitationView>): Screen =>
    alone('/invitation/x', (frame) =>
      invitationPage(frame, {
        action: '/invitation/x',
        purpose: 'join',
        email: 'ana@cafe-tacuba.example',
        scopeName: 'Café Tacuba',
        role: 'operator',
        hasAccount: false,
        resetsFactor: false,
        issuer: null,
        ...view,
      }),
    );
  return {
    'sign-in': alone('/sign-in', (frame) => signInPage(frame, { email: '', next: '/', passkey })),
    'sign-in-wrong': alone('/sign-in', (frame) =>
      signInPage(frame, { email: names.hostile, next: '/', passkey, problem: problems.locked(4), status: 429 }),
    ),
    'sign-in-factor': alone('/sign-in/factor', (frame) => factorPage(frame, { next: '/', passkey })),
    'sign-in-confirm': alone('/confirm', (frame) =>
      confirmPage(frame, { next: '/', passkey, problem: problems.wrongCode, status: 400 }),
    ),
    'sign-in-confirm-issuer': alone('/confirm', (frame) => confirmAtIssuerPage(frame, '/')),
    ...issuerScreens(language),
    'sign-in-scope': alone('/scope', (frame) =>
      scopePage(frame, {
        memberships: [
          { id: ids.person, scopeName: 'Café Tacuba', role: 'owner', isHere: true },
          { id: ids.key, scopeName: names.long, role: 'read-only', isHere: false },
          { id: ids.link, scopeName: names.hostile, role: 'operator', isHere: false },
        ],
      }),
    ),
    'sign-in-scope-none': alone('/scope', (frame) => scopePage(frame, { memberships: [] })),
    'sign-in-set-up': alone('/second-factor', (frame) =>
      setUpPage(frame, { action: '/second-factor', secret: 'JBSW Y3DP EHPK 3PXP JBSW Y3DP EHPK 3PXP', qr }),
    ),
    'sign-in-recovery': alone('/second-factor', (frame) =>
      recoveryPage(
        frame,
        Array.from({ length: 10 }, (_, i) => `abcd-efgh-jk${i}m-npqr`),
        '/',
      ),
    ),
    'sign-in-problem': alone('/', (frame) =>
      problemPage(frame, { status: 403, code: 'FORBIDDEN', requestId: ids.key }),
    ),
    invitation: invited({}),
    'invitation-known': invited({ hasAccount: true, scopeName: names.long, issuer: 'https://login.example.com' }),
    'invitation-reset': invited({
      purpose: 'reset',
      hasAccount: true,
      resetsFactor: true,
      problem: problems.badPassword,
    }),
  };
}
