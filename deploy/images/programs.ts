import { existsSync } from 'node:fs';
import path from 'node:path';

/** Modules that every process loads before its program, by the name of the packed file. */
export const PRELOADED = {
  telemetry: 'libs/service-kit/src/telemetry.ts',
  authorities: 'libs/service-kit/src/authorities.ts',
};

/** The file that starts each image's process: a service's, an adapter's or a simulator's main, or the operations program. */
export function programOf(root: string, image: string): string {
  const programs = ['services', 'acquirers', 'simulators'].map((part) => `${part}/${image}/src/main.ts`);
  const program = [...programs, ...(image === 'operations' ? ['ops/image/main.ts'] : [])].find((file) =>
    existsSync(path.join(root, file)),
  );
  if (program === undefined) throw new Error(`no service, adapter, simulator or program is named ${image}`);
  return program;
}

/** Files of the repository, from its root, that an image's process reads besides the assets of its packages. */
export const filesReadBy = (image: string): string[] =>
  image === 'gateway'
    ? [
        ...['main', 'developer-v1', 'partner'].map((api) => `docs/generated/openapi-${api}.json`),
        'docs/generated/asyncapi.json',
        'docs/generated/reference',
      ]
    : [];
