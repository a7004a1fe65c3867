import type { TerminalItem } from '@cobro/contracts/payment-intents.ts';
import type { Language } from '@cobro/html/language.ts';
import type { Acting } from '../src/shell/frame.ts';
import { type TerminalTile, terminalsPage, type TerminalsView } from '../src/terminals/terminals-page.ts';
import type { Screen } from './payment-screens.ts';
import { ids, names, sampleFrame } from './sample-frame.ts';

const tile = (over: Partial<TerminalItem>, isConnected = true): TerminalTile => ({
  terminal: {
    id: ids.card,
    terminalCode: 'SN-0001',
    branch: { id: ids.link, name: 'Centro Histórico' },
    salesperson: { id: ids.person, name: 'Beto' },
    createdAt: '2026-11-01T18:00:00.000Z',
    seenAt: '2026-11-24T18:04:00.000Z',
    openIntent: null,
    lastOutcome: null,
    ...over,
  },
  isConnected,
  formId: ids.key,
  amount: '',
});

const openIntent = {
  id: ids.link,
  amount: 185.5,
  externalId: 'ticket-1',
  isCharging: false,
  createdAt: '2026-11-24T18:04:00.000Z',
  expiresAt: '2026-11-24T18:19:00.000Z',
};
const lastOutcome = {
  outcome: 'CONFIRMED',
  paymentIntentId: ids.link,
  paymentId: ids.payment,
  amount: 1250.5,
  operationCode: 100_482,
  declineCode: null,
  tappedAt: '2026-11-24T17:58:00.000Z',
} as const;

const tiles = [
  tile({}),
  tile({ id: ids.payment, terminalCode: 'SN-0002', openIntent, lastOutcome, salesperson: null }),
  tile({
    id: ids.link,
    terminalCode: 'SN-0003',
    openIntent: { ...openIntent, id: ids.key, amount: 999_999_999.99, isCharging: true },
    lastOutcome: { ...lastOutcome, outcome: 'DECLINED', declineCode: 'insufficient_funds', amount: 89_999.99 },
  }),
  tile({ id: ids.person, terminalCode: names.hostile, branch: { id: ids.link, name: names.long } }, false),
  tile({ id: ids.key, terminalCode: 'SN-0005', branch: null, salesperson: null, seenAt: null }, false),
];

/** The screens of terminals, by a name for tests and pictures. */
export function terminalScreens(language: Language): Record<string, Screen> {
  const screen = (over: Partial<TerminalsView>, acting: Partial<Acting> = {}): Screen => {
    const frame = sampleFrame(language, '/terminals', acting);
    const view: TerminalsView = { tiles, more: 0, organizationId: ids.key, done: null, problem: null, ...over };
    return { frame, content: terminalsPage(frame, view) };
  };
  return {
    terminals: screen({}),
    'terminals-idle': screen({
      tiles: tiles.map((one) => ({ ...one, terminal: { ...one.terminal, openIntent: null } })),
    }),
    'terminals-read-only': screen({ more: 12, done: null }, { role: 'read-only' }),
    'terminals-sent': screen({ done: 'sent' }),
    'terminals-wrong-amount': screen({ problem: { kind: 'wrong-amount' } }),
    'terminals-charging': screen({
      problem: { kind: 'refused', code: 'INTENT_IN_PROGRESS', status: 409, requestId: ids.key },
    }),
    'terminals-none': screen({ tiles: [] }),
    'terminals-unavailable': screen({ tiles: null }),
  };
}
