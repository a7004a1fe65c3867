import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const USUAL_SOCKET = '/var/run/docker.sock';

/**
 * Sets what Testcontainers does not find out itself, by its variables: the socket of the current Docker context (Colima, OrbStack), and on
 * a Mac the usual place of the socket in the daemon's machine. What the user has set stays.
 */
export function heedContext(environment: NodeJS.ProcessEnv, system: NodeJS.Platform): void {
  const endpoint = endpointOfContext(environment);
  if (!environment['DOCKER_HOST'] && endpoint?.startsWith('unix://')) environment['DOCKER_HOST'] = endpoint;
  if (system === 'darwin') environment['TESTCONTAINERS_DOCKER_SOCKET_OVERRIDE'] ??= USUAL_SOCKET;
}

function endpointOfContext({ DOCKER_CONFIG, DOCKER_CONTEXT }: NodeJS.ProcessEnv): string | undefined {
  const folder = DOCKER_CONFIG || join(homedir(), '.docker');
  try {
    const name =
      DOCKER_CONTEXT || (readJson(join(folder, 'config.json')) as { currentContext?: string }).currentContext;
    if (!name) return undefined;
    const id = createHash('sha256').update(name).digest('hex');
    const context = readJson(join(folder, 'contexts/meta', id, 'meta.json')) as {
      Endpoints?: { docker?: { Host?: string } };
    };
    return context.Endpoints?.docker?.Host;
  } catch {
    // There is no configuration, or the context is the one named default, which has no file.
    return undefined;
  }
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}
