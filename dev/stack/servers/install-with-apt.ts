import { spawn } from 'node:child_process';
import { accessSync, appendFileSync, constants, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { findPrograms } from './programs.ts';
import { Sentence, type ServerName } from './server.ts';

const PACKAGES: Record<ServerName, string> = {
  postgres: 'postgresql',
  rabbitmq: 'rabbitmq-server',
  redis: 'redis-server',
};
const POLICY = '/usr/sbin/policy-rc.d';
const MARK = '# put here by cobro while it installs servers';
const LOCK_WAIT_MS = 300_000;

/** True on Debian and Ubuntu as root. */
export function canInstallWithApt(): boolean {
  try {
    accessSync('/usr/bin/apt-get', constants.X_OK);
    accessSync('/etc/debian_version');
    return process.getuid?.() === 0;
  } catch {
    return false;
  }
}

/** Installs the packages of these servers and starts none of them. */
export async function installWithApt(names: ServerName[], logFile: string, say: (line: string) => void): Promise<void> {
  await installPackages(
    names.map((name) => PACKAGES[name]),
    logFile,
    say,
  );
  const lacking = names.filter((name) => findPrograms(name) === undefined);
  if (lacking.length > 0)
    throw new Sentence(`apt-get installed no programs for ${lacking.join(', ')}: see ${logFile}.`);
}

/** Installs Debian packages by name and starts no service. */
export async function installPackages(packages: string[], logFile: string, say: (line: string) => void): Promise<void> {
  say(`${packages.join(', ')}: not on this machine, installing with apt-get (about half a minute)`);
  const allowServices = forbidServices();
  try {
    // If the lists cannot be fetched, older lists may still be good enough to install from.
    await aptGet(['update', '-q'], logFile).catch(() => {});
    // Another run may have installed them while we waited for its lock. apt-get then has nothing to do.
    await aptGet(['install', '-q', '-y', '--no-install-recommends', ...packages], logFile);
  } finally {
    allowServices();
  }
}

async function aptGet(args: string[], logFile: string): Promise<void> {
  const until = Date.now() + LOCK_WAIT_MS;
  for (;;) {
    const { code, output } = await runAptGet(args);
    appendFileSync(logFile, output);
    if (code === 0) return;
    if (!/could not get lock|unable to lock/i.test(output) || Date.now() > until) {
      const reason = output.split('\n').find((line) => line.startsWith('E: ')) ?? `it ended with ${code}`;
      throw new Sentence(`apt-get ${args[0]} failed: ${reason} (see ${logFile}).`);
    }
    await sleep(2_000);
  }
}

function runAptGet(args: string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn('/usr/bin/apt-get', args, {
      env: {
        PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
        LC_ALL: 'C',
        DEBIAN_FRONTEND: 'noninteractive',
        ...proxySettings(),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      // Ctrl-C must not leave a half-configured package behind.
      detached: true,
    });
    let output = '';
    const collect = (chunk: Buffer) => void (output += chunk.toString());
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.once('error', (error) => resolve({ code: null, output: `E: ${error.message}\n` }));
    child.once('close', (code) => resolve({ code, output }));
  });
}

function proxySettings(): Record<string, string> {
  const names = ['http_proxy', 'https_proxy', 'no_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'];
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

/** Writes the script that Debian asks before it starts a service. A script that somebody else put there is left alone. */
function forbidServices(): () => void {
  if (ownPolicy() === 'foreign') return () => {};
  // The script forbids nothing once this process is gone, in case we are killed before we remove it.
  writeFileSync(POLICY, `#!/bin/sh\n${MARK}\n[ -d /proc/${process.pid} ] && exit 101\nexit 0\n`, { mode: 0o755 });
  return () => rmSync(POLICY, { force: true });
}

function ownPolicy(): 'ours' | 'foreign' | 'none' {
  try {
    return readFileSync(POLICY, 'utf8').includes(MARK) ? 'ours' : 'foreign';
  } catch {
    return 'none';
  }
}
