import { serviceNames } from '../../services/definitions.ts';
import { CommandError, type Namespace, OF_THE_TEST } from './cluster.ts';
import type { Installation } from './installation.ts';

/** Exits with 0 if an address answers. The policy for a new pod may come seconds after its start, so it asks several times. */
const asking = (url: string) =>
  `const ask=(n)=>fetch(${JSON.stringify(url)},{signal:AbortSignal.timeout(2000)}).then(()=>process.exit(0),()=>n?setTimeout(ask,500,n-1):process.exit(1));ask(6)`;

/** Lets a stranger's pod out, so that only the policy of the service it asks can deny. */
const strangers = { stranger: 'true' };
const mayGoOut = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'strangers', labels: OF_THE_TEST },
  spec: { podSelector: { matchLabels: strangers }, policyTypes: ['Egress'], egress: [{}] },
};

/** Checks what the network policies deny. @throws if traffic went through, or did not go through to the gateway */
export async function deniedTraffic(namespace: Namespace, installed: Installation): Promise<void> {
  await namespace.apply(JSON.stringify(mayGoOut));
  const stranger = (service: string) =>
    installed.runScript(`ask-${service}`, asking(`http://cobro-${service}:8080/health/live`), strangers);
  await stranger('gateway');
  await Promise.all(
    serviceNames
      .filter((name) => name !== 'gateway')
      .map(async (service) => {
        if (!(await fails(stranger(service)))) throw new Error(`a stranger reached ${service}`);
      }),
  );
  // Both of these let anybody in, so only the pod's own policy can stop it.
  for (const service of ['reporting', 'webhooks']) {
    const [pod] = await namespace.pods(service);
    for (const other of ['dev-bank', 'gateway']) {
      const script = asking(`http://cobro-${other}:8080/health/live`);
      if (!(await fails(namespace.kubectl('exec', pod?.metadata.name ?? '', '--', 'node', '-e', script))))
        throw new Error(`${service} reached ${other}`);
    }
  }
}

const fails = (attempt: Promise<unknown>) =>
  attempt.then(
    () => false,
    (error: unknown) => {
      if (error instanceof CommandError) return true;
      throw error;
    },
  );
