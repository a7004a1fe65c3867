import type { Takings } from '@cobro/contracts/reports.ts';
import type { Branch, Salesperson } from '@cobro/contracts/salespeople.ts';
import type { Language } from '@cobro/html/language.ts';
import { changeBranchPage, changeSellerPage } from '../src/sellers/change-seller-page.ts';
import { sellersPage, type SellersView } from '../src/sellers/sellers-page.ts';
import { organizationPage, type OrganizationView } from '../src/settings/organization.ts';
import type { Acting } from '../src/shell/frame.ts';
import { takingsPage } from '../src/takings/takings-page.ts';
import type { Screen } from './payment-screens.ts';
import { ids, names, sampleFrame } from './sample-frame.ts';

const times = { createdAt: '2026-11-01T18:00:00.000Z', updatedAt: '2026-11-24T18:00:00.000Z' };
const branch = (over: Partial<Branch> = {}): Branch => ({
  id: ids.link,
  name: 'Roma Norte',
  externalId: null,
  ...times,
  ...over,
});
const seller = (over: Partial<Salesperson> = {}): Salesperson => ({
  id: ids.person,
  name: 'Lucía Ramos',
  username: 'lucia',
  status: 'ACTIVE',
  businessStoreBranch: { id: ids.link, name: 'Roma Norte' },
  ...times,
  ...over,
});
const people = [
  seller(),
  seller({ id: ids.card, name: names.long, username: 'x'.repeat(50), status: 'INACTIVE', businessStoreBranch: null }),
  seller({ id: ids.key, name: names.hostile, username: 'eva.2' }),
];
const branches = [branch(), branch({ id: ids.card, name: names.long }), branch({ id: ids.key, name: names.hostile })];

const refunds = { payments: 0, amount: 0 };
const taken = { payments: 12, amount: 8_450.5, refunds };
const nobody = { id: null, name: null, payments: 3, amount: 1_200, refunds: { payments: 1, amount: 250 } };
const takings: Takings = {
  day: '2026-11-24',
  payments: 15,
  amount: 9_650.5,
  refunds: { payments: 1, amount: 250 },
  salespeople: [{ id: ids.person, name: 'Lucía Ramos', ...taken }, nobody],
  branches: [{ id: ids.link, name: names.long, ...taken }, nobody],
  terminals: [
    { id: ids.card, name: names.hostile, ...taken },
    { ...nobody, id: ids.key },
  ],
};

const profile: OrganizationView['profile'] = {
  id: ids.key,
  name: 'Café Tacuba',
  business: { websiteURL: 'https://tacuba.example', supportEmail: 'hola@tacuba.example', supportPhoneNumber: null },
  partner: { id: ids.card, name: names.long },
  ...times,
};
const refused = { kind: 'refused', code: 'USERNAME_TAKEN', status: 409, requestId: ids.key } as const;

/** The screens of people who sell, of the profile and of a day's takings, by a name for tests and pictures. */
export function sellerScreens(language: Language): Record<string, Screen> {
  const list = (over: Partial<SellersView>, acting: Partial<Acting> = {}): Screen => {
    const frame = sampleFrame(language, '/sellers', acting);
    const listed = { people: { rows: people, more: 0 }, branches: { rows: branches, more: 7 } };
    const view: SellersView = { ...listed, formId: ids.key, typed: {}, done: null, problem: null, ...over };
    return { frame, content: sellersPage(frame, view) };
  };
  const day = (shown: Takings | null): Screen => {
    const frame = sampleFrame(language, '/takings');
    const view = { day: '2026-11-24', today: '2026-11-24', takings: shown, printedAt: new Date(times.updatedAt) };
    return { frame, content: takingsPage(frame, view) };
  };
  const organization = (over: Partial<OrganizationView>): Screen => {
    const frame = sampleFrame(language, '/settings/organization');
    const view: OrganizationView = { profile, typed: {}, isDone: false, problem: null, ...over };
    return { frame, content: organizationPage(frame, view) };
  };
  const changed = sampleFrame(language, `/sellers/${ids.person}`);
  const noProblem = { typed: {}, problem: null };
  return {
    sellers: list({}),
    'sellers, none yet': list({ people: { rows: [], more: 0 }, branches: { rows: [], more: 0 } }),
    'sellers, read only': list({ done: 'created' }, { role: 'read-only' }),
    'sellers, a username that is taken': list({ typed: { name: 'Eva', username: 'lucia' }, problem: refused }),
    'sellers, not available': list({ people: null, branches: null }),
    'a seller to change': {
      frame: changed,
      content: changeSellerPage(changed, { seller: seller(), branches, ...noProblem }),
    },
    'a branch to change': { frame: changed, content: changeBranchPage(changed, { branch: branch(), ...noProblem }) },
    takings: day(takings),
    'takings, none': day({ ...takings, payments: 0, refunds }),
    'takings, not available': day(null),
    'profile of an organization': organization({ isDone: true }),
    'profile of an organization, refused': organization({ problem: { kind: 'wrong' } }),
    'profile of an organization, not available': organization({ profile: null }),
  };
}
