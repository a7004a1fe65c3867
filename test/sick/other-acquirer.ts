import { createHash } from 'node:crypto';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { setFaults } from '@cobro/testing/bank-faults.ts';
import { saveCard } from '../../bench/merchants.ts';
import type { Merchant } from '../../bench/payment-requests.ts';
import type { Stack } from '../../dev/stack/stack.ts';
import { BANK_KINDS as kinds } from './begin.ts';
import type { Fault } from './fault.ts';
import type { SickStack } from './sick-stack.ts';
import { startTraffic } from './traffic.ts';

const PER_SECOND = 8;

/** Moves these merchants to the other acquirer, with a new card each. */
export async function moveMerchants(
  { stack, admin }: Pick<SickStack, 'stack' | 'admin'>,
  merchants: Merchant[],
): Promise<Merchant[]> {
  const hashes = merchants.map(({ apiKey }) => `'\\x${createHash('sha256').update(apiKey).digest('hex')}'`);
  await admin(`insert into payments.acquirer_choice (organization_id, acquirer)
    select organization_id, 'other' from gateway.api_keys where hash in (${hashes.join(', ')})`);
  const moved: Merchant[] = [];
  // One after the other, because the same card number may be saved only a few times at once.
  for (const { apiKey } of merchants)
    moved.push({ apiKey, card: await saveCard(stack.baseUrl, apiKey, testCards.approved) });
  return moved;
}

const otherBankOf = ({ otherBanks }: Stack): string => otherBanks['other'] ?? '';

/**
 * The other acquirer does this to every request, inquiries included, under the load of its own merchants. The measured merchants use only
 * the first acquirer.
 */
const otherThat = (name: string, faults: object): Fault => ({
  name: `another acquirer ${name}`,
  onlyBank: true,
  isFeltByNobody: true,
  begin: async ({ stack, moved }) => {
    const traffic = await startTraffic(stack.baseUrl, moved, PER_SECOND);
    await setFaults(otherBankOf(stack), faults);
    return async () => {
      await setFaults(otherBankOf(stack), {});
      await traffic.stop();
    };
  },
});

/** Faults of the other acquirer, by their words for `--only`. */
export const faultsOfOther: Readonly<Record<string, Fault>> = {
  'other-silent': otherThat('silent', { rates: { silentDone: 0.5, silentNotDone: 0.5 }, kinds }),
  'other-slow': otherThat('slow (3 s)', { rates: { slow: 1 }, kinds, slowMs: 3_000 }),
  'other-rubbish': otherThat('answers rubbish', { rates: { rubbish: 0.7, error: 0.3 }, kinds }),
  'other-contradicts': otherThat('cuts half of the calls, and answers each question differently', {
    rates: { drop: 0.5 },
    kinds,
  }),
};
