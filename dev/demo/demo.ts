import { openShownStack } from '../stack/open-shown-stack.ts';
import { reportFailure } from '../stack/servers/server.ts';
import { balance } from './balance.ts';
import { TourError } from './merchant.ts';
import { bad, faint, say } from './print.ts';
import { takeTour } from './tour.ts';

/**
 * `npm run demo`: starts everything, takes the tour, compares the books, stops everything. Exits with 0 only if all of it was
 * right.
 */
async function demo(): Promise<number> {
  const stack = await openShownStack({ say: (line) => say(faint(line)), exitCode: 130 });
  const { baseUrl, partnerBaseUrl, bankUrl, clockUrl, merchants, terminal } = stack;
  try {
    await takeTour({ baseUrl, partnerBaseUrl, clockUrl, terminal, ...merchants });
    return (await balance({ baseUrl, bankUrl, apiKeys: [merchants.apiKey, merchants.otherApiKey] })) ? 0 : 1;
  } catch (error) {
    if (!(error instanceof TourError)) throw error;
    say(bad(`\n${error.message}`));
    return 1;
  } finally {
    await stack.stop();
  }
}

process.exit(await demo().catch(reportFailure(say)));
