import { parseArgs } from 'node:util';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { openShownStack } from '../stack/open-shown-stack.ts';
import { reportFailure, Sentence } from '../stack/servers/server.ts';
import { balance, bankBooks } from './balance.ts';
import { TourError } from './merchant.ts';
import { bad, faint, say } from './print.ts';
import { stripeBooks } from './stripe-books.ts';
import { takeTour } from './tour.ts';

/**
 * `npm run demo [-- --acquirer stripe]`: starts everything, takes the tour, compares the books, stops everything. Exits with 0 only if
 * all of it was right. With Stripe's adapter as the bank there are no terminals, and the books are localstripe's.
 */
async function demo(): Promise<number> {
  const { acquirer } = parseArgs({ options: { acquirer: { type: 'string' } } }).values;
  if (acquirer !== undefined && acquirer !== 'stripe') throw new Sentence('npm run demo [-- --acquirer stripe]');
  const stack = await openShownStack({ say: (line) => say(faint(line)), exitCode: 130, acquirer });
  const { baseUrl, partnerBaseUrl, bankUrl, stripe, clockUrl, merchants } = stack;
  const terminal = stripe === undefined ? stack.terminal : undefined;
  try {
    // Stripe declines the card with insufficient funds already when it is saved.
    const declinedCard = stripe ? testCards.captureDeclined : testCards.insufficientFunds;
    const faultsAt = stripe === undefined ? bankUrl : undefined;
    await takeTour({ baseUrl, partnerBaseUrl, clockUrl, bankUrl: faultsAt, terminal, declinedCard, ...merchants });
    const [whose, books] = stripe
      ? ['Stripe’s balance transactions', await stripeBooks(stripe.stripeUrl)]
      : ["the bank's own ledger", await bankBooks(bankUrl)];
    const apiKeys = [merchants.apiKey, merchants.otherApiKey];
    return (await balance(whose, books, { baseUrl, apiKeys })) ? 0 : 1;
  } catch (error) {
    if (!(error instanceof TourError)) throw error;
    say(bad(`\n${error.message}`));
    return 1;
  } finally {
    await stack.stop();
  }
}

process.exit(await demo().catch(reportFailure(say)));
