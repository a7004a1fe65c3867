/**
 * Runs an entry (.ts or .mjs) of this repository on the pinned Node: `node dev/launch.mjs <entry> [args…]`.
 * Installs what package-lock.json says first, if it is not there yet. Runs itself on any Node from 20 on, and so
 * depends on nothing.
 */
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const OLDEST_NODE = [24, 12];
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** By default npm waits five minutes for a silent registry, three times over. */
const PATIENCE = { npm_config_fetch_timeout: '30000', npm_config_fetch_retries: '1' };

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const modules = path.join(root, 'node_modules');
const binaries = path.join(modules, '.bin');
const lock = path.join(root, '.stack', 'install.lock');

const isBinaries = (dir) => dir.endsWith(path.join('node_modules', '.bin'));
const pathWithoutBinaries = () => (process.env.PATH ?? '').split(path.delimiter).filter((dir) => !isBinaries(dir));
const readJson = (...names) => JSON.parse(readFileSync(path.join(root, ...names), 'utf8'));

function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

function ownNodeWillDo() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  return major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
}

/** 'glibc', 'musl' or undefined, found as npm does it. */
function libcOfMachine() {
  if (process.platform !== 'linux') return undefined;
  try {
    const ldd = readFileSync('/usr/bin/ldd', 'latin1');
    return ldd.includes('musl') ? 'musl' : ldd.includes('GNU C Library') ? 'glibc' : undefined;
  } catch {
    return undefined;
  }
}

const libc = libcOfMachine();

/** The package that holds this machine's Node, its version and its program, or undefined if none is pinned. */
function pinnedNode() {
  const system = `${process.platform}-${process.arch}`;
  const name = system === 'darwin-arm64' ? `node-bin-${system}` : `node-${system}`;
  const version = libc === 'musl' ? undefined : readJson('package.json').optionalDependencies?.[name];
  return version === undefined ? undefined : { name, version, program: path.join(modules, name, 'bin', 'node') };
}

const admits = (list, value) => list === undefined || list.includes(value);

/**
 * An optional package is needed only if it is made for this platform alone, its content is locked, and npm's Node is new enough for it. If
 * another is absent, the check that uses it says so.
 */
function mayBeAbsent(entry) {
  if (!entry.optional) return false;
  const isPlain = !entry.os && !entry.cpu;
  const isOurs = admits(entry.os, process.platform) && admits(entry.cpu, process.arch) && admits(entry.libc, libc);
  const mayBeTooNew = entry.engines !== undefined && !ownNodeWillDo();
  return isPlain || !isOurs || entry.integrity === undefined || mayBeTooNew;
}

function isInstalled() {
  try {
    const wanted = readJson('package-lock.json').packages;
    const pinned = pinnedNode();
    if (pinned && existsSync(pinned.program)) {
      // Some of these packages call themselves v24.0.0.
      const version = readJson('node_modules', pinned.name, 'package.json').version.replace(/^v/, '');
      if (version !== pinned.version) return false;
    } else if (pinned && !mayBeAbsent(wanted[`node_modules/${pinned.name}`])) {
      return false;
    }
    const present = readJson('node_modules', '.package-lock.json').packages;
    const agrees = ([location, entry]) => {
      const there = present[location];
      if (there === undefined) return location === '' || mayBeAbsent(entry);
      return there.version === entry.version && there.integrity === entry.integrity && there.link === entry.link;
    };
    return Object.entries(wanted).every(agrees) && Object.keys(present).every((location) => location in wanted);
  } catch {
    return false;
  }
}

/** A process as `pid:start`, because a later process may have the same number; undefined if dead. */
function identityOf(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code !== 'EPERM') return undefined;
  }
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return fields[0] === 'Z' ? undefined : `${pid}:${fields[19]}`;
  } catch {
    // No /proc: a Mac.
    const ps = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
    });
    return `${pid}:${(ps.stdout ?? '').trim()}`;
  }
}

function lockOwner() {
  try {
    return readlinkSync(lock);
  } catch {
    return undefined;
  }
}

/** The lock is a symbolic link whose target names the owner: made in one step, so never seen half written. */
function claimLock() {
  mkdirSync(path.dirname(lock), { recursive: true });
  try {
    symlinkSync(identityOf(process.pid), lock);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  const owner = lockOwner();
  if (owner !== undefined && identityOf(Number.parseInt(owner, 10)) !== owner) {
    const aside = `${lock}.${process.pid}`;
    try {
      renameSync(lock, aside);
      // If another launcher replaced the dead lock meanwhile, its living one was moved: move it back.
      if (readlinkSync(aside) === owner) rmSync(aside);
      else renameSync(aside, lock);
    } catch {
      return false;
    }
  }
  return false;
}

/** npm outlives a killed launcher, so the lock is npm's while it runs. */
function passLockTo(pid) {
  const next = `${lock}.${process.pid}`;
  symlinkSync(identityOf(pid) ?? `${pid}:`, next);
  renameSync(next, lock);
}

function runNpmCi() {
  // Some machines set NODE_ENV=production, which would leave out the tools. No install script is needed. Warnings
  // are mostly that a package wants a newer Node than npm's: it gets the pinned one.
  const args = ['ci', '--include=dev', '--include=optional', '--ignore-scripts', '--loglevel=error'];
  const env = { ...PATIENCE, ...process.env, PATH: pathWithoutBinaries().join(path.delimiter) };
  const npm = spawn('npm', args, { cwd: root, env, stdio: ['ignore', 2, 2] });
  const started = Date.now();
  const tick = setInterval(() => {
    process.stderr.write(`… npm ci is at work (${Math.round((Date.now() - started) / 1000)} s)\n`);
  }, 10_000);
  if (npm.pid !== undefined) passLockTo(npm.pid);
  return ended(npm)
    .then((end) => ({ ...end, waited: Date.now() - started > Number(env.npm_config_fetch_timeout) }))
    .catch((error) => fail(`npm could not be started (${error.message}): install npm.`))
    .finally(() => {
      clearInterval(tick);
      rmSync(lock, { force: true });
    });
}

async function install(mayTryAgain = true) {
  let saidSo = false;
  while (!claimLock()) {
    if (!saidSo) process.stderr.write('Another launcher is installing the packages: waiting for it.\n');
    saidSo = true;
    await sleep(200);
  }
  if (isInstalled()) {
    rmSync(lock, { force: true });
    return;
  }
  process.stderr.write('Installing what package-lock.json says: running npm ci.\n');
  const { code, signal, waited } = await runNpmCi();
  if (signal) exitAs({ code, signal });
  if (code !== 0 && waited && mayTryAgain) {
    process.stderr.write('npm ci waited for the registry in vain: trying once more.\n');
    return install(false);
  }
  if (code !== 0) fail(`npm ci ended with code ${code}: see its message above.`);
  if (!isInstalled()) fail('npm ci ended well and yet node_modules does not agree with package-lock.json.');
}

/** Passes signals on until the child has ended. Ctrl-C reaches the child from the terminal too, so it may see two. */
function ended(child) {
  const pass = (signal) => child.kill(signal);
  for (const signal of SIGNALS) process.on(signal, pass);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve({ code, signal }));
  }).finally(() => {
    for (const signal of SIGNALS) process.off(signal, pass);
  });
}

function exitAs({ code, signal }) {
  if (signal === null) process.exit(code);
  process.kill(process.pid, signal);
  process.exit(128 + constants.signals[signal]);
}

/** The pinned Node, linked in node_modules/.bin too; if none is pinned or installed, the one that runs this. */
function nodeToRun() {
  const pinned = pinnedNode();
  if (pinned && existsSync(pinned.program)) return linkedNode(pinned);
  if (ownNodeWillDo()) return process.execPath;
  return fail(
    `npm has no Node for ${process.platform}-${process.arch}: run this with Node ${OLDEST_NODE.join('.')} or newer ` +
      `(this is ${process.versions.node}).`,
  );
}

/** npm before 11 makes no link to a program that an omitted package for another system has too. */
function linkedNode({ program }) {
  const link = path.join(binaries, 'node');
  if (existsSync(link)) return link;
  chmodSync(program, 0o755);
  try {
    symlinkSync(path.relative(binaries, program), link);
  } catch (error) {
    // Another launcher may have been faster.
    if (error.code !== 'EEXIST') throw error;
  }
  return link;
}

const [entry, ...args] = process.argv.slice(2);
if (entry === undefined) fail('Usage: node dev/launch.mjs <entry> [args…]');
// If none is pinned and this Node is too old, fail before anything is installed.
if (!pinnedNode()) nodeToRun();
if (!isInstalled()) await install();
const child = spawn(
  nodeToRun(),
  ['--disable-sigusr1', '--disable-warning=ExperimentalWarning', path.resolve(root, entry), ...args],
  {
    cwd: root,
    env: { ...process.env, PATH: [binaries, ...pathWithoutBinaries()].join(path.delimiter) },
    stdio: 'inherit',
  },
);
exitAs(await ended(child));
