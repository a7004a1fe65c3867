/**
 * `npm run seed -- --payments N`: writes a history of three years into the stack that runs from this checkout, or into the stack whose
 * record STACK_FILE names. `--holds N` writes holds of today instead, which all close at the same time. For people who want to look at a
 * full system, and for benchmarks.
 */
import { parseArgs } from 'node:util';
import { say } from '../stack/in-own-run.ts';
import { runningStack } from '../stack/running-stack.ts';
import { seedEvents } from './seed-events.ts';
import { seedHistory } from './seed-history.ts';

async function seed(): Promise<number> {
  const { values } = parseArgs({ options: { payments: { type: 'string' }, holds: { type: 'string' } } });
  const what = values.holds === undefined ? 'history' : 'holds';
  const payments = Number(values.holds ?? values.payments);
  if (!Number.isInteger(payments) || payments < 1 || payments > 100_000_000) {
    say('How many payments? npm run seed -- --payments N, or --holds N, from 1 to 100000000.');
    return 64;
  }
  const stack = runningStack();
  if (stack === undefined) {
    say('No stack runs from this checkout (npm start).');
    return 78;
  }
  await seedHistory(stack, payments, say, what);
  await seedEvents(stack);
  say('the services publish what happened in the last 30 days, for the feed of events');
  return 0;
}

process.exitCode = await seed();
