import { centavosOf, decimalOf, inThousands } from '@cobro/contracts/amount.ts';
import type { OwnDeclineCode } from '@cobro/contracts/own-decline-code.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { clockInMexicoCity } from '@cobro/domain/mexico-city.ts';
import type { EntryMode, TestCardName } from './card.ts';
import type { NextIntent } from './cardholder.ts';
import type { PaidIntent } from '@cobro/client/api.ts';

/** Colours a text, or returns it as it is if no colours are wanted. */
export type Paint = (style: 'bold' | 'green' | 'red' | 'yellow', text: string) => string;

/** What a key does at the screen. */
export const ENTRY_KEYS: Readonly<Record<string, EntryMode>> = {
  t: 'CONTACTLESS',
  i: 'CHIP',
  s: 'MAGNETIC_STRIPE',
  m: 'MANUAL',
};
export const CARD_KEYS: Readonly<Record<string, TestCardName>> = {
  1: 'approved',
  2: 'declined',
  3: 'insufficientFunds',
  4: 'refundDeclined',
  5: 'slow',
  6: 'silentDone',
  7: 'silentNotDone',
  8: 'error',
  9: 'mastercardDebit',
  0: 'amexCredit',
};

const KEYS = 'Keys: t tap, i insert, s swipe, m type, d turn down, w walk away, q switch off';

const ENTRY_MODES: Record<EntryMode, string> = {
  CONTACTLESS: 'contactless',
  CHIP: 'chip',
  MAGNETIC_STRIPE: 'magnetic stripe',
  MANUAL: 'typed in',
};

/** 79 columns at most, so that nothing wraps on 80. */
const COLUMNS = 79;
const INDENT = '  ';
const CARD_COLUMNS = 25;
const RULE = '-'.repeat(48);

/** What the screen says when it is switched on. */
export function welcome(code: string, baseUrl: string): string[] {
  const cards = Object.entries(CARD_KEYS).map(([key, name]) =>
    `${key} ${name} ${lastFour(testCards[name])}`.padEnd(CARD_COLUMNS),
  );
  const rows = [0, 3, 6, 9].map((first) => `${INDENT}${cards.slice(first, first + 3).join('')}`.trimEnd());
  return [...wrap(`Terminal ${plain(code)} at ${baseUrl}`), '', ...wrap(KEYS), 'Cards:', ...rows, ''];
}

export function intentShown({ organization, amount, currency, externalId }: NextIntent, paint: Paint): string[] {
  return [
    RULE,
    ...indented(organization.name),
    `${INDENT}${paint('bold', money(amount, currency))}`,
    ...indented(`Reference ${externalId}`),
    RULE,
  ];
}

/** What may be pressed while an intent is shown. */
export const prompt = (card: TestCardName): string =>
  `Card ${card} (${lastFour(testCards[card])}): t, i, s, m pay; d turn down; w walk away`;

export const cardChosen = (name: TestCardName): string => `Card: ${name}, ending in ${lastFour(testCards[name])}.`;

export const cardPresented = (lastFourDigits: string, entryMode: EntryMode): string =>
  `Card ending in ${lastFourDigits}, ${ENTRY_MODES[entryMode]}: asking the bank ...`;

export interface Receipt {
  intent: NextIntent;
  paid: PaidIntent;
  entryMode: EntryMode;
  at: Date;
}

export function receipt({ intent, paid, entryMode, at }: Receipt, paint: Paint): string[] {
  const time = clockInMexicoCity(at).toISOString().slice(0, 19).replace('T', ' ');
  return [
    RULE,
    `${INDENT}${paint('green', 'PAID')}`,
    ...indented(intent.organization.name),
    `${INDENT}${paint('bold', money(paid.amount, paid.currency))}`,
    ...indented(`${paid.card.network} ending in ${paid.card.lastFourDigits}, ${ENTRY_MODES[entryMode]}`),
    ...indented(`Operation ${paid.operationCode}`),
    ...indented(`Reference ${intent.externalId}`),
    ...indented(`${time}, Mexico City`),
    RULE,
  ];
}

const DECLINES: { readonly [C in OwnDeclineCode]: string } & Readonly<Record<string, string>> = {
  do_not_honor: 'the card’s bank refuses it',
  insufficient_funds: 'there is not enough money on the card',
  expired_card: 'the card has expired',
  unsupported_network: 'cards of this network are not taken',
  not_processed: 'the bank did not get it in time',
  bank_unavailable: 'the bank could not be reached',
  fee_channel_unknown: 'the merchant has no fees for this kind of card',
  terms_not_available: 'this card cannot pay in instalments',
};

export function declined(declineCode: string, paint: Paint): string[] {
  const reason = DECLINES[declineCode] ?? 'the bank said no';
  return [
    ...wrap(`${paint('red', 'DECLINED')}: ${reason} (${plain(declineCode)}). Nothing was charged.`),
    'Another card may be tried.',
  ];
}

const REFUSALS: Readonly<Record<string, string>> = {
  INTENT_NOT_PENDING: 'it has been paid or cancelled already',
  INTENT_EXPIRED: 'it has expired',
  PAYMENT_INTENT_NOT_FOUND: 'there is no such intent for this terminal',
};

export const refused = (code: string, message: string, paint: Paint): string[] =>
  wrap(`${paint('red', 'NOT PAID')}: ${REFUSALS[code] ?? plain(message)} (${plain(code)}). Nothing was charged.`);

const money = (pesos: number, currency: string) => {
  const centavos = centavosOf(pesos);
  const digits = centavos === undefined ? String(pesos) : inThousands(decimalOf(centavos));
  return `${currency} ${digits}`;
};

const lastFour = (number: string) => number.slice(-4);

/** Merchants choose names and references. Control characters in them would command the screen. */
export const plain = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ');

const indented = (text: string) => wrap(plain(text), COLUMNS - INDENT.length).map((line) => `${INDENT}${line}`);

/** Breaks a text at spaces, and within a word only if the word is longer than a line. */
export function wrap(text: string, columns = COLUMNS): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    let rest = [...word];
    const joined = line === '' ? word : `${line} ${word}`;
    if ([...joined].length <= columns) {
      line = joined;
      continue;
    }
    if (line !== '') lines.push(line);
    for (; rest.length > columns; rest = rest.slice(columns)) lines.push(rest.slice(0, columns).join(''));
    line = rest.join('');
  }
  return [...lines, line];
}
