/**
 * Completes package-lock.json, or with --check says what is wrong with it and ends with 1. A registry copy that lacks another
 * platform's packages makes npm leave them out, and then `npm ci` refuses the lockfile everywhere: run this after each `npm
 * install`. `--root <dir>` names another checkout. Depends on nothing and runs on Node 20, because with an incomplete lockfile
 * nothing can be installed.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual, parseArgs } from 'node:util';

const SYSTEMS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const PROCESSORS = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];
const LIBCS = { gnu: 'glibc', musl: 'musl' };
const DEPENDENCIES = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];

/** Whether Node would find `name` from the package at `location`. */
function isFound(packages, location, name) {
  for (let from = location; from !== ''; from = from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/')))) {
    if (`${from}/node_modules/${name}` in packages) return true;
  }
  return `node_modules/${name}` in packages;
}

/** Optional dependencies without an entry, as { name, version, parent }. */
function missingEntries(packages) {
  const missing = [];
  for (const [parent, entry] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      if (!isFound(packages, parent, name)) missing.push({ name, version, parent });
    }
  }
  return missing;
}

/** What the package's name says about where it runs: { os, cpu, libc }, undefined if the name says nothing. */
function platformOf(name) {
  const parts = name.split(/[-/]/);
  const os = parts.filter((part) => SYSTEMS.includes(part));
  const cpu = parts.filter((part) => PROCESSORS.includes(part));
  if (os.length + cpu.length === 0) return undefined;
  const libc = parts.flatMap((part) => LIBCS[part] ?? []);
  return { ...(os.length && { os }), ...(cpu.length && { cpu }), ...(os.includes('linux') && libc.length && { libc }) };
}

function complete(lockfile) {
  const added = missingEntries(lockfile.packages).map(({ name, version, parent }) => {
    const platform = platformOf(name);
    if (platform === undefined || !/^\d+\.\d+\.\d+/.test(version)) {
      throw new Error(`${name}@${version}, wanted by ${parent}, has no platform in its name or no exact version.`);
    }
    const dev = lockfile.packages[parent].dev && { dev: true };
    return [`node_modules/${name}`, { version, ...platform, ...dev, optional: true }];
  });
  const entries = [...Object.entries(lockfile.packages), ...added];
  // npm's own order, so that its next write changes nothing.
  entries.sort(([a], [b]) => a.localeCompare(b, 'en'));
  return { lockfile: { ...lockfile, packages: Object.fromEntries(entries) }, added: added.length };
}

/** Each package.json of the checkout, as [its location in the lockfile, its content]. A workspace is a folder, or `folder/*`. */
function manifests(root) {
  const read = (location) => JSON.parse(readFileSync(path.join(root, location, 'package.json'), 'utf8'));
  const top = read('');
  const locations = (top.workspaces ?? []).flatMap((pattern) => {
    if (!pattern.endsWith('/*')) return [pattern];
    const folder = path.dirname(pattern);
    return readdirSync(path.join(root, folder)).map((name) => `${folder}/${name}`);
  });
  const packages = locations.filter((location) => existsSync(path.join(root, location, 'package.json')));
  return [['', top], ...packages.map((location) => [location, read(location)])];
}

/** One sentence for each thing that is wrong. */
function problems(root, { packages }) {
  const missing = missingEntries(packages).map(({ name, parent }) => `${name}, wanted by ${parent}, has no entry.`);
  const addressed = Object.entries(packages)
    .filter(([, entry]) => /^[a-z+]+:/.test(entry.resolved ?? ''))
    .map(([location]) => `${location} has an address in "resolved".`);
  const different = manifests(root)
    .filter(([location, manifest]) =>
      DEPENDENCIES.some((kind) => !isDeepStrictEqual(packages[location]?.[kind], manifest[kind])),
    )
    .map(([location]) => `${path.join(location, 'package.json')} wants other packages than the lockfile.`);
  return [...missing, ...addressed, ...different];
}

const { values } = parseArgs({ options: { check: { type: 'boolean' }, root: { type: 'string' } } });
const root = path.resolve(values.root ?? path.dirname(path.dirname(fileURLToPath(import.meta.url))));
const file = path.join(root, 'package-lock.json');
const lockfile = JSON.parse(readFileSync(file, 'utf8'));

if (values.check) {
  const found = problems(root, lockfile);
  for (const problem of found) console.error(problem);
  if (found.length > 0) console.error('After npm install, run: node dev/complete-lockfile.mjs');
  process.exitCode = found.length > 0 ? 1 : 0;
} else {
  const { lockfile: completed, added } = complete(lockfile);
  if (added > 0) writeFileSync(file, `${JSON.stringify(completed, null, 2)}\n`);
  console.log(`package-lock.json: ${added} platform packages added.`);
}
