import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { Wait } from 'testcontainers';
import type { Run } from '../../run.ts';
import { waitUntil } from '../../wait-until.ts';
import { lastLines } from '../private-server.ts';
import { Sentence, type Server, type ServerName, hostAndPort, messageOf } from '../server.ts';
import { type Daemon, OWNER_LABEL, RUN_LABEL, unlessGone } from './daemon.ts';
import type { LoopbackContainer } from './loopback-container.ts';

export interface ContainerServerOptions {
  name: ServerName;
  image: string;
  url: string;
  container: LoopbackContainer;
  isReady: () => Promise<boolean>;
}

type Handle = ReturnType<Daemon['container']['getById']>;

const START_TIMEOUT_MS = 120_000;
const POLL_MS = 100;

/** Starts a server in a container of our own. `chooseWays` has already registered the removal of all containers of the run. */
export async function startContainerServer(run: Run, daemon: Daemon, options: ContainerServerOptions): Promise<Server> {
  const { name, image, url, isReady } = options;
  const handle = daemon.container.getById(await create(run, options));

  const isRunning = async () => (await unlessGone(handle.inspect()))?.State.Running ?? false;
  const untilReady = async () => {
    const said = await followLog(run, daemon, handle, name);
    const inTime = await waitUntil(async () => (await isReady()) || !(await isRunning()), START_TIMEOUT_MS, POLL_MS);
    if (inTime && (await isRunning())) return;
    // The last log lines of a server that has ended may still be on their way.
    if (inTime) await said.ended;
    throw new Error(`${name} did not start:\n${lastLines(run.logFile(name))}`);
  };
  await untilReady();
  return {
    name,
    owner: 'this-run',
    url,
    about: `${name}: docker: our own container of ${image} at ${hostAndPort(url)}`,
    async kill() {
      await unlessGone(handle.kill({ signal: 'SIGKILL' }));
      await unlessGone(handle.wait());
    },
    pause: async () => void (await unlessGone(handle.pause())),
    // Docker refuses to resume what is not paused.
    resume: async () => {
      if ((await unlessGone(handle.inspect()))?.State.Paused) await unlessGone(handle.unpause());
    },
    async start() {
      await handle.start();
      await untilReady();
    },
  };
}

/** Returns the id of the container, which has been started and may not be ready. */
async function create(run: Run, { name, image, container }: ContainerServerOptions): Promise<string> {
  if (run.stopping) throw new Error('the stack is stopping');
  const started = container
    .withLabels({ [RUN_LABEL]: run.id, [OWNER_LABEL]: `${run.owner.pid}:${run.owner.startTime}` })
    // No wait strategy, because we ask the server itself, as our clients will.
    .withWaitStrategy(Wait.forAll([]))
    .start();
  // The removal of all containers would miss one that is still being made when the run stops, so the stop waits for it.
  run.onStop(async () => void (await started.catch(() => {})));
  try {
    return (await started).getId();
  } catch (error) {
    throw new Sentence(`docker: a container of ${image} for ${name} could not be started (${messageOf(error)}).`, {
      cause: error,
    });
  }
}

/** Appends the server's output to its log file. `ended` of the result resolves when the server has ended. */
async function followLog(run: Run, daemon: Daemon, handle: Handle, name: string): Promise<{ ended: Promise<unknown> }> {
  // The daemon's own clock counts, because a virtual machine's clock falls behind while a notebook sleeps.
  const { State } = await handle.inspect();
  const log = await daemon.container.logs(handle, { since: Math.floor(Date.parse(State.StartedAt) / 1_000) });
  const file = createWriteStream(run.logFile(name), { flags: 'a', mode: 0o600 });
  // A log that breaks off is no reason to end.
  log.on('error', () => file.end()).pipe(file);
  return { ended: once(file, 'close').catch(() => {}) };
}
