import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { listening, type Pod } from './cluster.ts';

/**
 * Writes each container's log, from its first line until `stop`, to `<pod>.<restarts>.log` in the folder, because a deleted pod takes its
 * log with it.
 */
export async function keepLogs(namespace: string, folder: string): Promise<{ stop(): void }> {
  const proxy = await listening(['proxy', '--port=0']);
  const pods = `http://${proxy.address}/api/v1/namespaces/${namespace}/pods`;
  const stopping = new AbortController();
  const read = async (path: string) => {
    const { body, ok } = await fetch(`${pods}${path}`, { signal: stopping.signal });
    if (!ok || body === null) throw new Error(`the cluster does not give ${path}`);
    return Readable.fromWeb(body);
  };
  const kept = new Set<string>();
  const keep = async ({ name, restart }: Container, query: string) => {
    const file = `${name}.${restart}.log`;
    if (restart < 0 || kept.has(file)) return;
    kept.add(file);
    await pipeline(await read(`/${name}/log?timestamps=true&${query}`), createWriteStream(join(folder, file)));
  };
  // A log that cannot be read is missing in the folder, and does not end the run.
  const ignored = () => {};
  const watch = async () => {
    for await (const line of createInterface({ input: await read('?watch=true') })) {
      for (const container of begunIn((JSON.parse(line) as { object: Pod }).object)) {
        keep(container, 'follow=true').catch(ignored);
        keep({ ...container, restart: container.restart - 1 }, 'previous=true').catch(ignored);
      }
    }
  };
  const watching = async () => {
    // The API server ends a watch after some minutes.
    for (; !stopping.signal.aborted; await sleep(500)) await watch().catch(ignored);
  };
  void watching();
  return {
    stop: () => {
      stopping.abort();
      proxy.close();
    },
  };
}

interface Container {
  name: string;
  restart: number;
}

/** The container of the pod, if it has begun. Our pods have one each. */
function begunIn({ metadata, status }: Pod): Container[] {
  const [container] = status.containerStatuses ?? [];
  const hasBegun = container?.state.running !== undefined || container?.state.terminated !== undefined;
  return container !== undefined && hasBegun ? [{ name: metadata.name, restart: container.restartCount }] : [];
}
