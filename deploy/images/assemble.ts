/**
 * `assemble.ts <image> <folder>`: writes what one image holds into an empty folder: JavaScript without types of the modules that
 * its program reaches, the packages that these need, its files, and a bill of materials. It runs inside the build of the image,
 * with the production packages installed and nothing else, so it uses no other.
 */
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { billOfMaterials } from './bill-of-materials.ts';
import { reach } from './modules.ts';
import { copyPackage, installedPackages } from './packages.ts';
import { filesReadBy, PRELOADED, programOf } from './programs.ts';

const root = path.join(import.meta.dirname, '../..');

function assemble(image: string, out: string): void {
  const program = programOf(root, image);
  const { modules, packages } = reach(root, [program, ...PRELOADED]);
  for (const [file, code] of modules) write(out, file.replace(/\.ts$/, '.js'), code);
  write(out, 'main.js', `import './${program.replace(/\.ts$/, '.js')}';\n`);
  write(out, 'preload.js', PRELOADED.map((file) => `import './${file.replace(/\.ts$/, '.js')}';\n`).join(''));
  for (const folder of foldersOf(modules.keys())) copyOurPackage(folder, out, image);
  for (const file of filesReadBy(image)) cpSync(path.join(root, file), path.join(out, file), { recursive: true });
  const installed = installedPackages(root, packages);
  for (const one of installed) copyPackage(root, out, one);
  const { version } = manifestOf('.');
  write(out, 'package.json', `${JSON.stringify({ name: `cobro-${image}`, version, type: 'module' })}\n`);
  write(out, 'sbom.cdx.json', `${JSON.stringify(billOfMaterials(root, image, version, installed), undefined, 1)}\n`);
  cpSync(path.join(root, 'LICENSE'), path.join(out, 'LICENSE'));
  console.log(`${image}: ${modules.size} modules, ${installed.length} packages`);
}

/** The packages of ours that files belong to: `libs/events`, `services/payments`. */
function foldersOf(files: Iterable<string>): Set<string> {
  const folders = [...files].map((file) => file.split('/').slice(0, 2).join('/'));
  return new Set(folders.filter((folder) => existsSync(path.join(root, folder, 'package.json'))));
}

/** Its exports, a link by which others import it, and the files that its modules read. */
function copyOurPackage(folder: string, out: string, image: string): void {
  const { name, exports = {} } = manifestOf(folder);
  const renamed = JSON.parse(JSON.stringify(exports).replaceAll('.ts"', '.js"')) as object;
  write(out, `${folder}/package.json`, `${JSON.stringify({ name, type: 'module', exports: renamed })}\n`);
  // Migrations are applied by the operations image alone: a service migrates nothing.
  const read = image === 'operations' ? ['assets', 'migrations'] : ['assets'];
  for (const files of read.filter((one) => existsSync(path.join(root, folder, one)))) {
    cpSync(path.join(root, folder, files), path.join(out, folder, files), { recursive: true });
  }
  const link = path.join(out, 'node_modules', name);
  mkdirSync(path.dirname(link), { recursive: true });
  symlinkSync(path.relative(path.dirname(link), path.join(out, folder)), link);
}

interface Manifest {
  name: string;
  version: string;
  exports?: Record<string, string>;
}

const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8')) as Manifest;

function write(out: string, file: string, content: string): void {
  const target = path.join(out, file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, content);
}

const [image, out] = process.argv.slice(2);
if (image === undefined || out === undefined) throw new Error('Usage: assemble.ts <image> <empty folder>');
if (existsSync(out) && readdirSync(out).length > 0) throw new Error(`${out} is not empty`);
assemble(image, path.resolve(out));
const forgotten = globSync('**/*.ts', { cwd: path.join(out, 'libs') });
if (forgotten.length > 0) throw new Error(`types are left in ${forgotten.join(', ')}`);
