import type { Language } from '@cobro/html/language.ts';
import { auditPage, type AuditView } from '../src/settings/audit.ts';
import { devicesPage } from '../src/settings/devices.ts';
import { newPasskeyPage } from '../src/settings/passkeys.ts';
import { linkPage, peoplePage, type PeopleView } from '../src/settings/people.ts';
import { profilePage } from '../src/settings/profile.ts';
import { signOnPage } from '../src/settings/sign-on.ts';
import type { Acting, Content, Frame } from '../src/shell/frame.ts';
import type { Screen } from './payment-screens.ts';
import { ids, names, sampleFrame } from './sample-frame.ts';

const at = new Date('2026-11-24T18:04:09.000Z');
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';

const members: PeopleView['members'] = [
  {
    id: ids.person,
    name: 'Ana Torres',
    email: 'ana@cafe-tacuba.example',
    role: 'owner',
    isSelf: true,
    invitedBy: null,
  },
  {
    id: ids.key,
    name: 'Luis',
    email: 'luis@cafe-tacuba.example',
    role: 'operator',
    isSelf: false,
    invitedBy: 'Ana Torres',
  },
  {
    id: ids.link,
    name: names.hostile,
    email: `${'b'.repeat(60)}@example.com`,
    role: 'read-only',
    isSelf: false,
    invitedBy: names.long,
  },
];

const auditRow: AuditView['rows'][number] = {
  id: ids.key,
  at,
  personName: 'Ana Torres',
  what: 'payment.refund',
  target: ids.payment,
  outcome: 'asked',
  status: null,
  code: null,
  fees: null,
  address: '192.0.2.17',
  requestId: ids.link,
};

const rates = { feePercentage: 3.5, promotionFeeDiscount: 1.25, promotionBusinessTake: 0 };
const dearer = {
  type: 'CARD_NOT_PRESENT' as const,
  network: 'AMEX',
  fundingSource: 'CREDIT',
  terms: 18,
  before: rates,
  after: { ...rates, feePercentage: 12.75, promotionBusinessTake: 0.5 },
};

const devices = [
  { id: ids.key, seenAt: at, userAgent: firefox, address: '192.0.2.17', isHere: true },
  { id: ids.link, seenAt: at, userAgent: names.hostile, address: '2001:db8:1:2:3:4:5:6', isHere: false },
];
const passkeys = [{ id: ids.card, name: 'Mi teléfono', createdAt: at, usedAt: null }];
const roles = ['read-only', 'operator', 'owner'] as const;
const signOn = {
  issuer: 'https://login.cafe-tacuba.example/realms/main',
  clientId: 'cobro',
  testedAt: at,
  isRequired: false,
  address: `https://dashboard.example.com/sign-in/oidc/${ids.key}`,
  callback: `https://dashboard.example.com/sign-in/oidc/${ids.key}/callback`,
};
const people = members.map(({ id: personId, name }) => ({ personId, name }));
const filters = { what: 'people', personId: undefined, from: '2026-11-01', to: undefined };
const lookedFor = { csv: '/settings/audit.csv?what=people', people, filters };
const noProblem = { isTestedNow: false, problem: undefined, status: 200 };

const screensIn =
  (language: Language) =>
  (address: string, content: (frame: Frame) => Content, acting: Partial<Acting> = {}): Screen => {
    const frame = sampleFrame(language, address, acting);
    return { frame, content: content(frame) };
  };

/** Screens of a person's own account. */
export function accountSettingsScreens(language: Language): Record<string, Screen> {
  const screen = screensIn(language);
  return {
    settings: screen('/settings', (frame) =>
      devicesPage(frame, { devices, codesLeft: 7, passkeys, isOwnAccount: true }),
    ),
    'settings-by-issuer': screen('/settings', (frame) =>
      devicesPage(frame, { devices, codesLeft: 0, passkeys: [], isOwnAccount: false }),
    ),
    'settings-passkey': screen('/settings/passkeys/new', (frame) =>
      newPasskeyPage(frame, { options: {}, status: 200 }),
    ),
    'settings-profile': screen('/settings/profile', (frame) =>
      profilePage(frame, {
        name: 'Ana Torres',
        email: 'ana@cafe-tacuba.example',
        done: 'password',
        isOwnAccount: true,
        ...noProblem,
      }),
    ),
    'settings-lent': screen(
      '/settings',
      (frame) => devicesPage(frame, { devices, codesLeft: 7, passkeys: [], isOwnAccount: true }),
      { role: 'read-only', lentUntil: at },
    ),
  };
}

/** Screens of a scope's settings. */
export function settingsScreens(language: Language): Record<string, Screen> {
  const screen = screensIn(language);
  return {
    'settings-people': screen('/settings/people', (frame) =>
      peoplePage(frame, {
        roles,
        members,
        lentUntil: null,
        invitations: [{ id: ids.card, email: 'eva@example.com', role: 'operator', expiresAt: at }],
      }),
    ),
    'settings-link': screen('/settings/people', (frame) =>
      linkPage(frame, { email: 'eva@example.com', link: `https://dashboard.example.com/invitation/${'x'.repeat(43)}` }),
    ),
    'settings-sign-on': screen('/settings/sign-on', (frame) => signOnPage(frame, { signOn, ...noProblem })),
    'settings-sign-on-none': screen('/settings/sign-on', (frame) => signOnPage(frame, { signOn: null, ...noProblem })),
    'settings-audit': screen('/settings/audit', (frame) =>
      auditPage(frame, {
        rows: [
          { ...auditRow, outcome: 'answered', status: 200 },
          auditRow,
          {
            ...auditRow,
            what: 'sign-in.password',
            outcome: 'failed',
            code: 'WRONG_PASSWORD',
            target: null,
            personName: null,
          },
          { ...auditRow, personName: names.hostile, what: 'people.invite.read-only' },
          {
            ...auditRow,
            what: 'fees.set',
            outcome: 'answered',
            status: 200,
            fees: [dearer, { ...dearer, before: null }],
          },
          { ...auditRow, what: 'fees.remove', fees: [{ ...dearer, before: null, after: null }] },
        ],
        older: '/settings/audit?before=x',
        ...lookedFor,
      }),
    ),
    'settings-audit-none': screen('/settings/audit', (frame) =>
      auditPage(frame, { rows: [], older: null, ...lookedFor }),
    ),
  };
}
