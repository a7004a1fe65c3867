import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { Manifest } from './check-manifest.ts';
import type { Helm } from './get-helm.ts';

export const chartFolder = path.join(import.meta.dirname, '../../deploy/helm/cobro');
export const devChartFolder = path.join(import.meta.dirname, '../../deploy/helm/cobro-dev');
export const valuesFiles = readdirSync(path.join(chartFolder, 'ci')).map((file) => path.join(chartFolder, 'ci', file));

/** A chart cannot be rendered. The message is helm's. */
export class RenderError extends Error {}

export interface Rendering {
  chart?: string;
  files?: string[];
  /** As after `--set-json`. */
  set?: Record<string, unknown>;
}

const argumentsOf = ({ chart = chartFolder, files = [], set = {} }: Rendering): string[] => [
  'shop',
  chart,
  '--namespace',
  'pay',
  ...files.flatMap((file) => ['--values', file]),
  ...Object.entries(set).flatMap(([name, value]) => ['--set-json', `${name}=${JSON.stringify(value)}`]),
];

/** The notes that an installation prints. @throws RenderError */
export function notes(helm: Helm, rendering: Rendering): string {
  const args = ['install', ...argumentsOf(rendering), '--dry-run=client'];
  const { status, stdout, stderr } = spawnSync(helm.program, args, { encoding: 'utf8', maxBuffer: 64 << 20 });
  if (status !== 0) throw new RenderError(stderr);
  return stdout.slice(stdout.indexOf('\nNOTES:'));
}

/** Every object that the chart makes, hooks and tests too. @throws RenderError */
export function render(helm: Helm, rendering: Rendering): Manifest[] {
  const args = ['template', ...argumentsOf(rendering), '--kube-version', '1.34.0'];
  const { status, stdout, stderr } = spawnSync(helm.program, args, { encoding: 'utf8', maxBuffer: 64 << 20 });
  if (status !== 0) throw new RenderError(stderr);
  return parseAllDocuments(stdout, { uniqueKeys: true }).flatMap((document) => {
    const [problem] = document.errors;
    if (problem !== undefined) throw new RenderError(`what helm wrote is no YAML: ${problem.message}`);
    return document.contents === null ? [] : [document.toJS() as Manifest];
  });
}

/** Helm's own complaints about the chart with these values; empty if it has none. */
export function lint(helm: Helm, chart: string, files: string[]): string {
  const args = ['lint', '--strict', chart, '--kube-version', '1.34.0', ...files.flatMap((file) => ['--values', file])];
  const { status, stdout, stderr } = spawnSync(helm.program, args, { encoding: 'utf8' });
  return status === 0 ? '' : stdout + stderr;
}
