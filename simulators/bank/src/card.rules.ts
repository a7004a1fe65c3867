import { testCards } from '@cobro/contracts/test-cards.ts';

const natures = [
  'approved',
  'declined',
  'insufficientFunds',
  'stolen',
  'captureDeclined',
  'refundDeclined',
  'shortWindow',
  'letGoEarly',
  'slow',
  'silentDone',
  'silentNotDone',
  'error',
] as const;

/** How a card behaves when it is used. Saving a card never shows this. */
export type Nature = (typeof natures)[number];
export type Network = 'VISA' | 'MASTERCARD' | 'AMEX' | 'CARNET';
type FundingSource = 'CREDIT' | 'DEBIT' | 'PREPAID';

/** The facts of a card that its first digits show. */
export type Issue = { network: Network; fundingSource: FundingSource; issuingBank: string };

/** With this prefix, tests have more declines than one card's limit allows. */
const ALWAYS_DECLINED = '40009';

export function natureOf(number: string): Nature {
  if (number.startsWith(ALWAYS_DECLINED)) return 'declined';
  return natures.find((nature) => testCards[nature] === number) ?? 'approved';
}

/** Examples for a simulator, not a copy of any card scheme's table. */
const issuers: [prefix: string, issuingBank: string, fundingSource: FundingSource][] = [
  ['424242', 'BBVA MEXICO', 'CREDIT'],
  ['400000', 'BANORTE', 'CREDIT'],
  ['415231', 'BBVA MEXICO', 'DEBIT'],
  ['402766', 'BANCO AZTECA', 'DEBIT'],
  ['491566', 'SANTANDER MEXICO', 'DEBIT'],
  ['520082', 'CITIBANAMEX', 'DEBIT'],
  ['557910', 'SANTANDER MEXICO', 'CREDIT'],
  ['378282', 'AMERICAN EXPRESS', 'CREDIT'],
  ['506393', 'SI VALE', 'PREPAID'],
  ['506', 'BANORTE', 'DEBIT'],
];

/** Returns undefined if none of our networks issues such numbers. */
export function issueOf(number: string): Issue | undefined {
  const network = networkOf(number);
  if (network === undefined) return undefined;
  const issuer = issuers.find(([prefix]) => number.startsWith(prefix));
  return { network, issuingBank: issuer?.[1] ?? 'HSBC MEXICO', fundingSource: issuer?.[2] ?? 'DEBIT' };
}

function networkOf(number: string): Network | undefined {
  const first4 = Number(number.slice(0, 4));
  if (number.startsWith('4')) return 'VISA';
  if ((first4 >= 5100 && first4 <= 5599) || (first4 >= 2221 && first4 <= 2720)) return 'MASTERCARD';
  if (/^3[47]/.test(number)) return 'AMEX';
  if (number.startsWith('506')) return 'CARNET';
  return undefined;
}
