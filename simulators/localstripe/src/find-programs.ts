import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const LOCALSTRIPE = '1.15.10';
const STRIPE_MOCK = 'v0.203.0';
/** A machine that cannot reach the registries must not hold up a test run for longer. */
const INSTALLED_WITHIN_MS = 90_000;

const cache = () => join(homedir(), '.cache', 'cobro-programs');
const run = promisify(execFile);

async function runs(command: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<boolean> {
  const options = { env: { ...process.env, ...env }, timeout: INSTALLED_WITHIN_MS, killSignal: 'SIGKILL' } as const;
  return run(command, args, options).then(
    () => true,
    () => false,
  );
}

/** Installs into a new folder and renames it when it is whole, because another process may install at the same time. */
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

/** A Python with localstripe; undefined if none can be had. */
export const findLocalstripe = () =>
  findPython({
    name: `localstripe-${LOCALSTRIPE}`,
    install: [`localstripe==${LOCALSTRIPE}`],
    module: 'localstripe.server',
  });

/**
 * A Python that can import this module, in a virtual environment of its own, made if there is none; undefined if that fails.
 * `install` is what pip installs.
 */
export async function findPython({
  name,
  install,
  module,
}: {
  name: string;
  install: readonly string[];
  module: string;
}): Promise<string | undefined> {
  const pythonIn = (folder: string) => join(folder, 'bin', 'python');
  const hasIt = (python: string) => runs(python, ['-c', `import ${module}`]);
  const python = pythonIn(join(cache(), name));
  if (await hasIt(python)) return python;
  const made = await installed(name, async (folder) => {
    const pip = ['-m', 'pip', 'install', '--quiet', '--retries', '1', '--timeout', '15'];
    return (
      (await runs('python3', ['-m', 'venv', folder])) &&
      (await runs(pythonIn(folder), [...pip, ...install])) &&
      hasIt(pythonIn(folder))
    );
  });
  // If another process was sooner, its installation is there.
  return made !== undefined || (await hasIt(python)) ? python : undefined;
}

/** The program stripe-mock, installed by Go if it is not there yet; undefined if that fails. */
export async function findStripeMock(): Promise<string | undefined> {
  const name = `stripe-mock-${STRIPE_MOCK}`;
  const program = join(cache(), name, 'stripe-mock');
  if (existsSync(program)) return program;
  const module = `github.com/stripe/stripe-mock@${STRIPE_MOCK}`;
  await installed(name, (folder) => runs('go', ['install', module], { GOBIN: folder }));
  return existsSync(program) ? program : undefined;
}

/** The folder in which npm has installed these packages, without their scripts; undefined if that fails. */
export async function findPackages(...packages: string[]): Promise<string | undefined> {
  const name = packages.join('+').replaceAll('/', '-');
  const folder = join(cache(), name);
  if (existsSync(folder)) return folder;
  await installed(name, async (fresh) => {
    mkdirSync(fresh);
    const options = ['--prefix', fresh, '--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
    return runs('npm', ['install', ...options, ...packages]);
  });
  return existsSync(folder) ? folder : undefined;
}
