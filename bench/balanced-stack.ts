import { urlVariable } from '@cobro/frame/definition.ts';
import { freePort } from '@cobro/testing/free-port.ts';
import { type ServiceName, serviceNames } from '../services/definitions.ts';
import { openRun, type Run } from '../dev/stack/run.ts';
import type { Stack } from '../dev/stack/stack.ts';
import { type Balancer, openBalancer } from './balancer.ts';
import { startQuietStack } from './bench-program.ts';

/** Opens a balancer before each service's replicas. Processes with `addresses` in their environment reach them through it. */
export async function openBalancers(run: Run, names: readonly ServiceName[]) {
  const balancers = new Map<ServiceName, Balancer>();
  for (const name of names) balancers.set(name, await openBalancer(run, await freePort()));
  return {
    addresses: Object.fromEntries([...balancers].map(([name, { url }]) => [urlVariable(name), url])),
    spreadOver: ({ urls }: Stack) => {
      for (const [name, { spreadOver }] of balancers) spreadOver(urls[name] ?? []);
    },
  };
}

/** A stack without telemetry whose services are reached through balancers, which spread requests over the replicas of each. */
export async function startBalanced(balanced: readonly ServiceName[], replicas: number): Promise<Stack> {
  const run = openRun();
  const { addresses, spreadOver } = await openBalancers(run, balanced);
  const stack = await startQuietStack(run, {
    replicas: Object.fromEntries(balanced.map((name) => [name, replicas])),
    env: Object.fromEntries(serviceNames.map((name) => [name, { ...addresses, LOG_LEVEL: 'info' }])),
  });
  spreadOver(stack);
  return stack;
}
