import { uuid } from '@cobro/contracts/ids.ts';

/** What a person typed into the box of the list of payments. */
export type Search =
  | { kind: 'none' }
  | { kind: 'payment'; id: string }
  | { kind: 'filter'; filter: Readonly<Record<string, string>> };

/**
 * Operation codes begin at 100001, so four digits are a card's last ones. An amount has two decimals. Any other text
 * is the externalId of a charge.
 */
export function searchOf(typed: string): Search {
  if (typed === '') return { kind: 'none' };
  if (uuid.safeParse(typed).success) return { kind: 'payment', id: typed };
  if (/^\d{4}$/.test(typed)) return filter({ lastFourDigits: typed });
  if (/^\d{6,14}$/.test(typed)) return filter({ operationCode: typed });
  const amount = typed.replaceAll(/[\s$,]/g, '');
  if (/^\d{1,9}\.\d{2}$/.test(amount)) return filter({ amountFrom: amount, amountTo: amount });
  if (/^[^\s@]+@[^\s@]+$/.test(typed)) return filter({ email: typed });
  return filter({ externalId: typed });
}

const filter = (given: Readonly<Record<string, string>>): Search => ({ kind: 'filter', filter: given });
