import { createInterface } from 'node:readline';
import { createTerminal } from '../../dev/stack/create-terminal.ts';
import { showStack } from '../../dev/stack/open-shown-stack.ts';
import type { Stack } from '../../dev/stack/stack.ts';
import type { Prometheus } from './prometheus.ts';

export type Holding = Awaited<ReturnType<typeof openHolding>>;

/**
 * For a drill in which a cause stays until somebody finds it: opens the stack to operators' commands, as `npm start` does, and waits for
 * Enter.
 */
export async function openHolding(stack: Stack, prometheus: Prometheus, say: (line: string) => void) {
  const { organizationId } = stack.merchants;
  showStack(stack, await createTerminal(stack.databaseUrl, { organizationId, code: 'CAJA-1' }));
  say(`PROMETHEUS_URL=${prometheus.url}; record, logs and spans of the stack: .stack`);
  const lines = createInterface(process.stdin)[Symbol.asyncIterator]();
  return {
    /** Prints the alerts that fired, without their cause. Returns when Enter is pressed, or standard input ends. */
    untilEnter: async (alert: string) => {
      for (const line of await prometheus.firing()) say(line);
      say(`held: ${alert} (Enter ends it)`);
      await lines.next();
    },
  };
}
