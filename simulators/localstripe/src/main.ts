/** Stripe's stand-in: localstripe, and before it the rules of Stripe that it lacks. Ends with 69 if localstripe cannot be had. */
import { loadConfig } from '@cobro/service-kit/config.ts';
import { config } from './config.ts';
import { findLocalstripe } from './find-programs.ts';
import { startLocalstripe } from './start-localstripe.ts';
import { openStripeRules } from './stripe-rules.ts';

const { PORT } = loadConfig(config);
const python = await findLocalstripe();
if (python === undefined) {
  process.stderr.write('There is no Python, or it cannot install localstripe.\n');
  process.exit(69);
}
const { url, kill } = await startLocalstripe(python);
await openStripeRules(url, PORT);
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => void kill().then(() => process.exit(0)));
