import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const LOCALSTRIPE = '1.15.10';
const STRIPE_MOCK = 'v0.203.0';
/** A machine without a way to the registries must not hold up a run of tests for longer. */
const INSTALLED_WITHIN_MS = 90_000;

const cache = () => join(homedir(), '.cache', 'cobro-stripe');
const run = promisify(execFile);

async function runs(command: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<boolean> {
  const options = { env: { ...process.env, ...env }, timeout: INSTALLED_WITHIN_MS, killSignal: 'SIGKILL' } as const;
  return run(command, args, options).then(
    () => true,
    () => false,
  );
}

/** Installs into a new folder and puts that in place when it is whole, because another process may install at the same time. */
async function installed(name: string, install: (folder: string) => Promise<boolean>): Promise<string | undefined> {
  const [folder, fresh] = [join(cache(), name), join(cache(), `${name}.${process.pid}`)];
  try {
    mkdirSync(cache(), { recursive: true });
    if (!(await install(fresh))) return undefined;
    if (existsSync(folder)) rmSync(folder, { recursive: true, force: true });
    renameSync(fresh, folder);
    return folder;
  } catch {
    return undefined;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** A Python with localstripe, in a virtual environment of its own that is made where there is none; undefined where that fails. */
export async function findLocalstripe(): Promise<string | undefined> {
  const name = `localstripe-${LOCALSTRIPE}`;
  const pythonIn = (folder: string) => join(folder, 'bin', 'python');
  const hasIt = (python: string) => runs(python, ['-c', 'import localstripe.server']);
  const python = pythonIn(join(cache(), name));
  if (await hasIt(python)) return python;
  const made = await installed(name, async (folder) => {
    const pip = ['-m', 'pip', 'install', '--quiet', '--retries', '1', '--timeout', '15'];
    return (
      (await runs('python3', ['-m', 'venv', folder])) &&
      (await runs(pythonIn(folder), [...pip, `localstripe==${LOCALSTRIPE}`])) &&
      hasIt(pythonIn(folder))
    );
  });
  // Where another process was sooner, its installation is there.
  return made !== undefined || (await hasIt(python)) ? python : undefined;
}

/** The program stripe-mock, installed by Go where it is not there yet; undefined where that fails. */
export async function findStripeMock(): Promise<string | undefined> {
  const name = `stripe-mock-${STRIPE_MOCK}`;
  const program = join(cache(), name, 'stripe-mock');
  if (existsSync(program)) return program;
  const module = `github.com/stripe/stripe-mock@${STRIPE_MOCK}`;
  await installed(name, (folder) => runs('go', ['install', module], { GOBIN: folder }));
  return existsSync(program) ? program : undefined;
}
