import { serviceNames } from '../../services/definitions.ts';
import { until } from '@cobro/testing/until.ts';
import { CommandError, type Namespace, type Pod, run } from './cluster.ts';
import { DEV_RELEASE, type Installation } from './installation.ts';
import { killProcess } from './kill.ts';
import { type Scene, underLoad } from './under-load.ts';

/** Prints that a step is done, with its time. */
export type Report = (sentence: string) => void;

export interface Disturbed {
  scene: Scene;
  installed: Installation;
  /** A namespace whose pods may see the processes of their node. */
  killers: Namespace;
  report: Report;
}

/** Replaces every pod, goes back to the older image on the newer schema, and replaces every pod again. */
export async function upgradeAndRollback({ scene, installed, report }: Disturbed): Promise<void> {
  const upgrade = () => installed.upgrade({ secretsRevision: 'two' });
  const begun = new Date().toISOString();
  report(`upgrade of every service: ${await underLoad(scene, upgrade)}`);
  report(`rollback of every service: ${await underLoad(scene, () => installed.rollback())}`);
  report(`upgrade again: ${await underLoad(scene, upgrade)}`);
  // Release 0.1.0 publishes less than merchants are shown.
  if (!scene.readsEvents) await installed.operate('admin', 'events', 'retell', '--since', begun, '--json');
}

export async function deletions({ scene, report }: Disturbed): Promise<void> {
  for (const service of serviceNames) {
    const counts = await underLoad(scene, async () => {
      const pod = await anyPod(scene.namespace, service);
      await scene.namespace.kubectl('delete', 'pod', pod.metadata.name, '--wait=true');
    });
    report(`a pod of ${service} deleted: ${counts}`);
  }
}

/** Only requests that had begun before the process died may fail. */
export async function kills({ scene, installed, killers, report }: Disturbed): Promise<void> {
  for (const service of serviceNames) {
    const counts = await underLoad(scene, async (mayFailUntil) => {
      const pod = await anyPod(scene.namespace, service);
      mayFailUntil(await killProcess(killers, pod, installed.image));
      await runsAgain(scene.namespace, pod);
    });
    report(`a process of ${service} killed: ${counts}`);
  }
}

/** Requests may be refused only while Postgres is away, and each must get an answer. */
export async function serverRestarts({ scene, installed, killers, report }: Disturbed): Promise<void> {
  for (const server of ['redis', 'rabbitmq', 'postgres']) {
    const counts = await underLoad(scene, async (mayFailUntil) => {
      const pod = await scene.namespace.pod(`${DEV_RELEASE}-${server}-0`);
      await killProcess(killers, pod, installed.image);
      await runsAgain(scene.namespace, pod);
      await scene.namespace.settled();
      if (server === 'postgres') mayFailUntil(Date.now(), 'with an answer');
    });
    report(`the process of ${server} killed: ${counts}`);
  }
}

async function runsAgain(namespace: Namespace, pod: Pod): Promise<void> {
  await until(`${pod.metadata.name} runs again`, async () => {
    const [container] = (await namespace.pod(pod.metadata.name)).status.containerStatuses ?? [];
    return container?.ready === true && container.restartCount > restartsOf(pod);
  });
}

/** Like a drain of a node: if a pod's budget refuses its eviction, the eviction is repeated. */
export async function evictions({ scene, report }: Disturbed): Promise<void> {
  let refused = 0;
  const counts = await underLoad(scene, async () => {
    for (const service of serviceNames) {
      const pods = await scene.namespace.pods(service);
      for (const { metadata } of pods) {
        await until(`${metadata.name} is evicted`, async () => {
          const evicted = await evict(scene.namespace, metadata.name);
          if (!evicted) refused++;
          return evicted;
        });
      }
    }
  });
  report(`every pod evicted, one after the other (${refused} times too early for the budget): ${counts}`);
}

/** False if the disruption budget does not allow it now. */
async function evict({ name }: Namespace, pod: string): Promise<boolean> {
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: pod, namespace: name } };
  const path = `/api/v1/namespaces/${name}/pods/${pod}/eviction`;
  try {
    await run('kubectl', ['create', '--raw', path, '-f', '-'], JSON.stringify(eviction));
    return true;
  } catch (error) {
    if (error instanceof CommandError && error.message.includes('disruption budget')) return false;
    throw error;
  }
}

/** The autoscaler of payments adds pods under load. */
export async function growth({ scene, installed, report }: Disturbed): Promise<void> {
  // Percent of the 20 m that a pod requests in ci/two-cores.yaml: less than a pod uses under this load, also on a busy node.
  const autoscaling = { enabled: true, min: 2, max: 4, cpu: 200 };
  const pods = async () => (await scene.namespace.pods('payments')).length;
  await installed.upgrade({ secretsRevision: 'two', 'services.payments.autoscaling': autoscaling });
  await scene.namespace.settled();
  const before = await pods();
  const counts = await underLoad(scene, () =>
    until('payments has more than two pods', async () => (await pods()) > 2, 240_000),
  );
  report(`the autoscaler took payments from ${before} pods to ${await pods()}: ${counts}`);
  await installed.upgrade({ secretsRevision: 'two' });
  await scene.namespace.settled();
  report('back to two pods, by an upgrade');
}

/** A migration that fails ends the upgrade; no pod is replaced, and merchants notice nothing. */
export async function failingMigration({ scene, installed, report }: Disturbed): Promise<void> {
  const uids = async () =>
    (await Promise.all(serviceNames.map((name) => scene.namespace.pods(name))))
      .flat()
      .map(({ metadata }) => metadata.uid)
      .toSorted()
      .join();
  const before = await uids();
  // This key holds no address of a broker.
  const set = { 'rabbitmq.adminUrlKey': 'definitions.json', 'migration.backoffLimit': 0, secretsRevision: 'three' };
  let refused = false;
  const counts = await underLoad(scene, async () => {
    refused = await installed.upgrade(set).then(
      () => false,
      (error: unknown) => error instanceof CommandError,
    );
  });
  if (!refused) throw new Error('a migration that fails did not fail the upgrade');
  if ((await uids()) !== before) throw new Error('a failing migration replaced pods');
  report(`a migration that fails: the upgrade fails, no pod is replaced: ${counts}`);
  await installed.upgrade({ secretsRevision: 'two' });
  report('the next upgrade goes through');
}

async function anyPod(namespace: Namespace, service: string): Promise<Pod> {
  const [pod] = await namespace.pods(service);
  if (pod === undefined) throw new Error(`${service} has no pod`);
  return pod;
}

const restartsOf = ({ status }: Pod) => status.containerStatuses?.[0]?.restartCount ?? 0;
