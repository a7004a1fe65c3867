import { dayInMexicoCity } from '@cobro/domain/mexico-city.ts';

/** The facts of one tap that card and terminal have. `number` is the card's number in digits, and `at` the terminal's time. */
export interface EmvFacts {
  number: string;
  expirationMonth: number;
  expirationYear: number;
  entryMode: 'CHIP' | 'CONTACTLESS' | 'MAGNETIC_STRIPE' | 'MANUAL';
  centavos: bigint;
  at: Date;
  /** How often this card was used with its chip, from 0 to 65535. */
  transactionCounter: number;
  /** Hexadecimal text of 4 and 8 bytes. A real card derives the cryptogram from its key; here both are chance. */
  unpredictable: string;
  cryptogram: string;
}

const POS_ENTRY_MODE = { CHIP: '05', CONTACTLESS: '07', MAGNETIC_STRIPE: '90', MANUAL: '01' };
/** ISO 4217 and ISO 3166 have the same number for the peso and for Mexico. */
const MEXICO = '0484';

/**
 * The EMV fields of a tap as hexadecimal text by tag, or undefined if the number was typed in and no card was read. Tags 5A and
 * 57 hold the card's number, so all of it is secret.
 */
export function emvOf(facts: EmvFacts): Record<string, string> | undefined {
  const { entryMode, centavos, at } = facts;
  if (entryMode === 'MANUAL') return undefined;
  const read = {
    '57': track2(facts),
    '9A': dayInMexicoCity(at).replaceAll('-', '').slice(2),
    '9C': '00',
    '5F2A': MEXICO,
    '9F02': centavos.toString().padStart(12, '0'),
    '9F1A': MEXICO,
    '9F35': '22',
    '9F39': POS_ENTRY_MODE[entryMode],
  };
  return entryMode === 'MAGNETIC_STRIPE' ? read : { ...read, ...chip(facts) };
}

/** The fields that only a chip sends, with or without contact: its identity and its signature under this transaction. */
function chip({ number, transactionCounter, unpredictable, cryptogram }: EmvFacts): Record<string, string> {
  return {
    '5A': wholeBytes(number),
    '5F34': '00',
    '82': '1980',
    '84': applicationOf(number),
    '95': '0000008000',
    '9F03': '0'.repeat(12),
    '9F10': '06010A03A00000',
    '9F26': cryptogram,
    '9F27': '80',
    '9F33': 'E0B8C8',
    '9F34': '1F0302',
    '9F36': transactionCounter.toString(16).toUpperCase().padStart(4, '0'),
    '9F37': unpredictable,
  };
}

/** The second track: number, expiry as YYMM, and service code 201, which means an international card with a chip. */
function track2({ number, expirationMonth, expirationYear }: EmvFacts): string {
  const expiry = `${String(expirationYear % 100).padStart(2, '0')}${String(expirationMonth).padStart(2, '0')}`;
  return wholeBytes(`${number}D${expiry}201000000000`);
}

const wholeBytes = (digits: string) => (digits.length % 2 === 0 ? digits : `${digits}F`);

/** The identifier of the card's application on the chip, which begins with the identifier of its network. */
function applicationOf(number: string): string {
  if (number.startsWith('4')) return 'A0000000031010';
  return /^3[47]/.test(number) ? 'A000000025010801' : 'A0000000041010';
}
