import { join } from 'node:path';
import { deployedServices } from '../generator/deployed-services.ts';
import { chartFolder, type Rendering, RenderError } from './chart.ts';
import type { Manifest } from './check-manifest.ts';

export type Render = (of: Rendering) => Manifest[];

/** A sentence about the chart, and a check for contradictions. */
export interface ChartRule {
  sentence: string;
  /** Empty if the sentence is true. */
  check(render: Render): string[];
}

export interface PodSpec {
  containers: Container[];
  securityContext: Record<string, unknown>;
  automountServiceAccountToken: boolean;
  volumes?: { name: string; projected?: { sources: unknown[] } }[];
}

interface SecretKey {
  name: string;
  key: string;
  /** The pod starts even without it. */
  optional?: boolean;
}

export interface Container {
  name: string;
  image: string;
  env: { name: string; value?: string; valueFrom?: { secretKeyRef: SecretKey } }[];
  securityContext: Record<string, unknown>;
  resources?: { requests: { cpu: string } };
}

export const services = deployedServices();
export const names = Object.keys(services);
export const file = (name: string) => join(chartFolder, 'ci', name);
export const twoCores: Rendering = { files: [file('two-cores.yaml')] };
export const production: Rendering = { files: [file('production.yaml')] };

export const ofKind = (manifests: Manifest[], kind: string) => manifests.filter((one) => one.kind === kind);
export const named = (manifests: Manifest[], kind: string, name: string): Manifest => {
  const found = ofKind(manifests, kind).find((one) => one.metadata.name === name);
  if (found === undefined) throw new Error(`there is no ${kind} ${name}`);
  return found;
};
export const specOf = (manifest: Manifest) => manifest['spec'] as Record<string, never>;
/** A manifest's template of pods; a CronJob makes Jobs first. */
const templateOf = (manifest: Manifest) => {
  const spec = specOf(manifest) as Record<string, unknown>;
  return (manifest.kind === 'CronJob' ? (spec['jobTemplate'] as { spec: object }).spec : spec) as {
    template: { spec: PodSpec };
  };
};
export const podOf = (manifest: Manifest): PodSpec =>
  manifest.kind === 'Pod' ? (specOf(manifest) as never) : templateOf(manifest).template.spec;
export const withPods = (manifests: Manifest[]) =>
  manifests.filter(({ kind }) => ['Deployment', 'StatefulSet', 'Job', 'CronJob', 'Pod'].includes(kind));
export const environmentOf = (manifest: Manifest) => podOf(manifest).containers.flatMap(({ env }) => env);
export const variable = (manifest: Manifest, name: string) =>
  environmentOf(manifest).find((one) => one.name === name)?.value;

/** One sentence if `is` and `should` differ. */
export const same = (about: string, is: unknown, should: unknown): string[] =>
  JSON.stringify(is) === JSON.stringify(should)
    ? []
    : [`${about}: ${JSON.stringify(is)}, not ${JSON.stringify(should)}`];

/** Empty if rendering fails with these words, as it should. */
export function refused(render: Render, of: Rendering, words: string): string[] {
  try {
    render(of);
  } catch (error) {
    if (error instanceof RenderError && error.message.includes(words)) return [];
    return [`it failed with other words: ${String(error)}`];
  }
  return [`it was rendered; it should have been refused with “${words}”`];
}
