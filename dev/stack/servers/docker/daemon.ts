import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ContainerRuntimeClient, ImageName, getContainerRuntimeClient, getReaper } from 'testcontainers';
import { messageOf } from '../server.ts';
import { heedContext } from './context.ts';

/** Labels of a container: the run it belongs to, and the process that owns the run, as `pid:start`. */
export const RUN_LABEL = 'cobro.run';
export const OWNER_LABEL = 'cobro.owner';

export type Daemon = ContainerRuntimeClient;

const ASK_TIMEOUT_MS = 10_000;

/** The Docker daemon of this machine, if one answers within 10 s. The daemon is asked, because a client alone proves nothing. */
export async function findDaemon(): Promise<Daemon | undefined> {
  heedContext(process.env, process.platform);
  const late = sleep(ASK_TIMEOUT_MS, undefined, { ref: false });
  const daemon = await Promise.race([getContainerRuntimeClient().catch(() => undefined), late]);
  // A port that another machine publishes is not at 127.0.0.1, and must not be open to that machine's network.
  return daemon !== undefined && (await isThisMachine(daemon.info.containerRuntime.host)) ? daemon : undefined;
}

/**
 * Whether the host is one of our own addresses. In a container Testcontainers names the bridge, and that is ours if the daemon
 * runs in the same container.
 */
function isThisMachine(host: string): Promise<boolean> {
  return new Promise((resolve) => {
    // A process can listen only on addresses of its own machine.
    const server = createServer().once('error', () => resolve(false));
    server.listen(0, host, () => server.close(() => resolve(true)));
  });
}

/** Pulls an image that is not there yet. Returns why it cannot be had, or undefined if it is there now. */
export async function obtainImage(
  { image, container }: Daemon,
  name: string,
  onPull: () => void,
): Promise<string | undefined> {
  const wanted = ImageName.fromString(name);
  try {
    if (await image.exists(wanted)) return undefined;
    onPull();
    // This pull uses the user's credentials, whose helper may be missing: Docker Desktop leaves the helper's name in the
    // configuration.
    await image.pull(wanted).catch(() => {});
    if (!(await image.exists(wanted))) await pullAsAnybody(container.dockerode, name);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** @throws with the daemon's message, even if the daemon reports the failure only after the pull has begun */
async function pullAsAnybody(dockerode: Daemon['container']['dockerode'], name: string): Promise<void> {
  const progress: NodeJS.ReadableStream = await dockerode.pull(name);
  for await (const line of createInterface({ input: progress })) {
    const { error } = JSON.parse(line || '{}') as { error?: string };
    if (error !== undefined) throw new Error(error);
  }
}

/**
 * Ryuk removes the containers of a killed process within seconds. If Ryuk cannot be had or does not start, our next start removes them by
 * our own labels.
 */
export async function useReaperIfPossible(daemon: Daemon): Promise<void> {
  await getReaper(daemon).catch(() => {
    process.env['TESTCONTAINERS_RYUK_DISABLED'] = 'true';
  });
}

/** Removes all containers of a run, with their data. @throws if no daemon answers */
export async function removeContainersOf(run: string): Promise<void> {
  const daemon = await findDaemon();
  if (daemon === undefined) throw new Error('no Docker daemon answers');
  const { dockerode } = daemon.container;
  const containers = await dockerode.listContainers({ all: true, filters: { label: [`${RUN_LABEL}=${run}`] } });
  await Promise.all(
    containers.map(({ Id }) => unlessGone(dockerode.getContainer(Id).remove({ force: true, v: true }))),
  );
}

/** Undefined if the container is gone or has stopped, because another process (Ryuk, for instance) was faster. */
export async function unlessGone<T>(answer: Promise<T>): Promise<T | undefined> {
  return answer.catch((error: unknown) => {
    const { statusCode } = error as { statusCode?: number };
    if (statusCode === 404 || statusCode === 409) return undefined;
    throw error;
  });
}
