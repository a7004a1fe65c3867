import { urlVariable } from '@cobro/frame/definition.ts';
import { freePort } from '@cobro/testing/free-port.ts';
import { type ServiceName, serviceNames } from '../services/definitions.ts';
import { openRun } from '../dev/stack/run.ts';
import { type Stack, startStack } from '../dev/stack/stack.ts';
import { stopOnSignals } from '../dev/stack/stop-on-signals.ts';
import { type Balancer, openBalancer } from './balancer.ts';

/** A stack without telemetry in which everybody reaches these services through a balancer, which spreads requests over the replicas of each. */
export async function startBalanced(options: {
  balanced: readonly ServiceName[];
  replicas: number;
  say: (line: string) => void;
}): Promise<Stack> {
  const { balanced, replicas, say } = options;
  const run = openRun();
  stopOnSignals(run, say);
  const balancers = new Map<ServiceName, Balancer>();
  for (const name of balanced) balancers.set(name, await openBalancer(run, await freePort()));
  const addresses = Object.fromEntries([...balancers].map(([name, { url }]) => [urlVariable(name), url]));
  const stack = await startStack({
    run,
    say,
    telemetry: false,
    replicas: Object.fromEntries(balanced.map((name) => [name, replicas])),
    env: Object.fromEntries(serviceNames.map((name) => [name, { ...addresses, LOG_LEVEL: 'info' }])),
  });
  for (const [name, { spreadOver }] of balancers) spreadOver(stack.urls[name] ?? []);
  return stack;
}
