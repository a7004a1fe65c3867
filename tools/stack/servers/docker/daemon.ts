import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ContainerRuntimeClient, ImageName, getContainerRuntimeClient, getReaper } from 'testcontainers';
import { messageOf } from '../server.ts';
import { heedContext } from './context.ts';

/** Of the run that a container belongs to, and of the process that owns it, as `pid:start`. */
export const RUN_LABEL = 'cobro.run';
export const OWNER_LABEL = 'cobro.owner';

export type Daemon = ContainerRuntimeClient;

const ASK_TIMEOUT_MS = 10_000;

/** The Docker daemon of this machine, if one answers within 10 s. It is asked, for a client alone says nothing. */
export async function findDaemon(): Promise<Daemon | undefined> {
  heedContext(process.env, process.platform);
  const late = sleep(ASK_TIMEOUT_MS, undefined, { ref: false });
  const daemon = await Promise.race([getContainerRuntimeClient().catch(() => undefined), late]);
  // What another machine publishes is not at 127.0.0.1, and must not be open to its network.
  return daemon !== undefined && (await isThisMachine(daemon.info.containerRuntime.host)) ? daemon : undefined;
}

/** In a container Testcontainers names the bridge, which is ours where the daemon runs in the same container. */
function isThisMachine(host: string): Promise<boolean> {
  return new Promise((resolve) => {
    // One may listen only on addresses of one's own.
    const server = createServer().once('error', () => resolve(false));
    server.listen(0, host, () => server.close(() => resolve(true)));
  });
}

/** Pulls an image that is not there yet. Answers why it cannot be had, or undefined where it is there now. */
export async function obtainImage(
  { image, container }: Daemon,
  name: string,
  onPull: () => void,
): Promise<string | undefined> {
  const wanted = ImageName.fromString(name);
  try {
    if (await image.exists(wanted)) return undefined;
    onPull();
    // It uses the user's credentials, whose helper may be lacking: Docker Desktop leaves its name in the configuration.
    await image.pull(wanted).catch(() => {});
    if (!(await image.exists(wanted))) await pullAsAnybody(container.dockerode, name);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** @throws with what the daemon says, also where it says so after it has begun */
async function pullAsAnybody(dockerode: Daemon['container']['dockerode'], name: string): Promise<void> {
  const progress: NodeJS.ReadableStream = await dockerode.pull(name);
  for await (const line of createInterface({ input: progress })) {
    const { error } = JSON.parse(line || '{}') as { error?: string };
    if (error !== undefined) throw new Error(error);
  }
}

/**
 * Ryuk removes the containers of a process that was killed, within seconds. Where it cannot be had or does not start,
 * the next start of ours does that by our own labels.
 */
export async function useReaperIfPossible(daemon: Daemon): Promise<void> {
  await getReaper(daemon).catch(() => {
    process.env['TESTCONTAINERS_RYUK_DISABLED'] = 'true';
  });
}

/** Removes all containers of a run, with their data. @throws where no daemon answers */
export async function removeContainersOf(run: string): Promise<void> {
  const daemon = await findDaemon();
  if (daemon === undefined) throw new Error('no Docker daemon answers');
  const { dockerode } = daemon.container;
  const containers = await dockerode.listContainers({ all: true, filters: { label: [`${RUN_LABEL}=${run}`] } });
  await Promise.all(
    containers.map(({ Id }) => unlessGone(dockerode.getContainer(Id).remove({ force: true, v: true }))),
  );
}

/** Undefined where the container is not there any more, or does not run: somebody was faster, Ryuk for instance. */
export async function unlessGone<T>(answer: Promise<T>): Promise<T | undefined> {
  return answer.catch((error: unknown) => {
    const { statusCode } = error as { statusCode?: number };
    if (statusCode === 404 || statusCode === 409) return undefined;
    throw error;
  });
}
