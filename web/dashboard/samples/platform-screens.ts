import type { Language } from '@cobro/html/language.ts';
import { feesHref, feesOfOrganizationPage, type FeesOfOrganizationView } from '../src/platform/fees-of-organization.ts';
import { newOrganizationPage, newPartnerPage } from '../src/platform/new-place.ts';
import { operationsPage, type OperationsView } from '../src/platform/operations.ts';
import { organizationsPage } from '../src/platform/organizations.ts';
import { partnersPage } from '../src/platform/partners.ts';
import type { Content, Frame } from '../src/shell/frame.ts';
import type { Screen } from './payment-screens.ts';
import { ids, names, sampleFrame } from './sample-frame.ts';

const at = new Date('2026-11-24T18:04:09.000Z');
const openOperation = {
  id: ids.payment,
  acquirer: 'default',
  purpose: 'capture',
  subjectId: ids.payment,
  amount: 1_250.5,
  claimedAt: at.toISOString(),
  inquiries: 12,
};
const comparedDay = { day: '2026-11-23', finishedAt: at.toISOString(), differences: 0, notCompared: null };
const operationsView: OperationsView = {
  open: {
    count: 1_204,
    items: [
      openOperation,
      { ...openOperation, purpose: 'save', acquirer: 'stripe-mexico', amount: null, inquiries: 0 },
    ],
  },
  parked: 3,
  compared: [
    { ...comparedDay, of: 'default' },
    { ...comparedDay, of: 'counters', differences: 2 },
    { ...comparedDay, of: 'events' },
    {
      ...comparedDay,
      of: 'stripe-mexico',
      differences: 12_000,
      notCompared: 'it does not give its settlement report: 503 of https://reports.acquirer.example',
    },
    { ...comparedDay, of: 'banco-del-bajio', day: '2026-11-02' },
  ],
  due: '2026-11-23',
};

const ofPlatform = { scope: 'platform', role: 'admin', scopeName: 'Plataforma' } as const;
const noFees: FeesOfOrganizationView = {
  organization: { id: ids.key, name: 'Café Tacuba' },
  rows: [],
  typed: {},
  chosen: { types: [], terms: [] },
  wrong: [],
  problem: null,
  isDone: false,
};
const ofAny = { network: null, fundingSource: null, promotionFeeDiscount: 0, promotionBusinessTake: 0 };
const feeViews: Record<string, Partial<FeesOfOrganizationView>> = {
  'platform-fees': {
    isDone: true,
    rows: [
      { ...ofAny, type: 'CARD_NOT_PRESENT', terms: 1, feePercentage: 3.5 },
      {
        ...ofAny,
        type: 'CARD_NOT_PRESENT',
        terms: 18,
        feePercentage: 12.75,
        network: 'MASTERCARD',
        fundingSource: 'CREDIT',
      },
      {
        ...ofAny,
        type: 'CARD_PRESENT',
        terms: 1,
        feePercentage: 2.9,
        promotionFeeDiscount: 1,
        promotionBusinessTake: 2,
      },
    ],
  },
  'platform-fees-none': {},
  'platform-fees-wrong': {
    rows: null,
    typed: { fee: '31', discount: names.formula, take: 'x', network: 'VISA' },
    wrong: ['types', 'terms', 'fee', 'discount', 'take'],
  },
};

type ShownAt = (address: string, draw: (frame: Frame) => Content) => Screen;

/** The screens of the platform's admins. */
export function platformScreens(language: Language): Record<string, Screen> {
  const screen: ShownAt = (address, draw) => {
    const frame = sampleFrame(language, address, ofPlatform);
    return { frame, content: draw(frame) };
  };
  return { ...placeScreens(screen), ...operationScreens(screen) };
}

const operationScreens = (screen: ShownAt): Record<string, Screen> => ({
  'platform-operations': screen('/platform/operations', (frame) => operationsPage(frame, operationsView)),
  'platform-operations-quiet': screen('/platform/operations', (frame) =>
    operationsPage(frame, { open: { count: 0, items: [] }, parked: 0, compared: [], due: '2026-11-23' }),
  ),
  'platform-operations-missing': screen('/platform/operations', (frame) =>
    operationsPage(frame, { open: null, parked: null, compared: null, due: '2026-11-23' }),
  ),
});

const placeScreens = (screen: ShownAt): Record<string, Screen> => ({
  'platform-organizations': screen('/platform/organizations', (frame) =>
    organizationsPage(frame, {
      q: '',
      rows: [
        { id: ids.key, name: 'Café Tacuba', owners: 1, people: 3, lentUntil: at },
        { id: ids.link, name: names.hostile, owners: 0, people: 0, lentUntil: null },
        { id: ids.card, name: names.long, owners: 2, people: 12_000, lentUntil: null },
      ],
      next: '/platform/organizations?after=x',
      problem: undefined,
      status: 200,
      isDone: true,
    }),
  ),
  'platform-partners': screen('/platform/partners', (frame) =>
    partnersPage(frame, {
      rows: [
        { id: ids.key, organizations: 25, example: 'Café Tacuba', owners: 1, people: 3 },
        { id: ids.link, organizations: 12_000, example: names.hostile, owners: 0, people: 0 },
        { id: ids.card, organizations: 1, example: names.long, owners: 2, people: 12_000 },
      ],
      next: '/platform/partners?after=x',
      problem: undefined,
      status: 200,
      isDone: true,
    }),
  ),
  'platform-new-organization': screen('/platform/organizations/new', (frame) =>
    newOrganizationPage(frame, {
      formId: ids.key,
      typed: { name: names.hostile, website: 'x', partner: ids.card },
      partners: [{ id: ids.card, name: names.long }],
      wrong: ['website'],
      problem: null,
    }),
  ),
  'platform-new-partner': screen('/platform/partners/new', (frame) =>
    newPartnerPage(frame, {
      formId: ids.key,
      typed: { name: 'Ventas del Istmo' },
      wrong: [],
      problem: { kind: 'lost', requestId: ids.key },
    }),
  ),
  ...Object.fromEntries(
    Object.entries(feeViews).map(([name, view]) => [
      name,
      screen(feesHref(ids.key), (frame) => feesOfOrganizationPage(frame, { ...noFees, ...view })),
    ]),
  ),
});
