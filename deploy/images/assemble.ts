/**
 * `assemble.ts <image> <folder>`: writes the content of one image into an empty folder: its packed program, the files that this reads, the
 * licences of its packages, and a bill of materials. It runs inside the build of the image, with only the production packages installed, so
 * it uses no other.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { billOfMaterials } from './bill-of-materials.ts';
import { pack } from './pack.ts';
import { copyLicences, packagesOf } from './packages.ts';
import { filesReadBy, PRELOADED, programOf } from './programs.ts';

const root = path.join(import.meta.dirname, '../..');

async function assemble(image: string, out: string): Promise<void> {
  mkdirSync(out, { recursive: true });
  const files = await pack({
    root,
    programs: { main: programOf(root, image), lines: 'deploy/images/lines.ts', ...PRELOADED },
    out,
    rootWhenRun: "new URL('./',import.meta.url).href",
  });
  const preload = Object.keys(PRELOADED).map((name) => `import './${name}.js';\n`);
  writeFileSync(path.join(out, 'preload.js'), preload.join(''));
  for (const file of [...filesBeside(files, image), ...filesReadBy(image)]) {
    cpSync(path.join(root, file), path.join(out, file), { recursive: true });
  }
  const packages = packagesOf(root, files);
  copyLicences(root, out, packages);
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };
  write(out, 'package.json', { name: `cobro-${image}`, version, type: 'module' });
  write(out, 'sbom.cdx.json', billOfMaterials(root, image, version, packages));
  cpSync(path.join(root, 'LICENSE'), path.join(out, 'LICENSE'));
  console.log(`${image}: ${files.length} files, ${packages.length} packages`);
}

/** Files that our packages read at run time. A service migrates nothing, so only the operations image has migrations. */
function filesBeside(files: readonly string[], image: string): string[] {
  const folders = new Set(files.map((file) => file.split('/').slice(0, 2).join('/')));
  const read = image === 'operations' ? ['assets', 'migrations'] : ['assets'];
  return [...folders]
    .filter((folder) => !folder.startsWith('node_modules/'))
    .flatMap((folder) => read.map((one) => `${folder}/${one}`))
    .filter((folder) => existsSync(path.join(root, folder)));
}

const write = (out: string, file: string, content: object) =>
  writeFileSync(path.join(out, file), `${JSON.stringify(content, undefined, 1)}\n`);

const [image, out] = process.argv.slice(2);
if (image === undefined || out === undefined) throw new Error('Usage: assemble.ts <image> <empty folder>');
if (existsSync(out) && readdirSync(out).length > 0) throw new Error(`${out} is not empty`);
await assemble(image, path.resolve(out));
