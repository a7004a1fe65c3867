import type { Namespace, Pod } from './cluster.ts';

/**
 * Ends the first process of a pod's container with SIGKILL, from a root pod on the same node, because its own container cannot kill it.
 * @param killers a namespace in which such a pod may run
 * @param image any image with Node
 * @returns when the process was dead, in milliseconds since 1970 by the node's clock, which must agree with ours
 */
export async function killProcess(killers: Namespace, { metadata, spec }: Pod, image: string): Promise<number> {
  const container = {
    name: 'kill',
    image,
    imagePullPolicy: 'IfNotPresent',
    command: ['node', '-e', killing(metadata.uid)],
    securityContext: { runAsUser: 0 },
  };
  const killer = { hostPID: true, nodeName: spec.nodeName, restartPolicy: 'Never', containers: [container] };
  return Number(await killers.runPod(`kill-${metadata.name}`, { labels: {}, spec: killer }));
}

/**
 * Waits until the process is gone, because then its connections are closed. The names of its control groups contain the pod’s uid, some
 * with underscores. The pod’s sandbox, too, has a first process; its program is `pause`.
 */
const killing = (uid: string) => `
  const { existsSync, readdirSync, readFileSync } = require('node:fs');
  const read = (pid, file) => { try { return readFileSync('/proc/' + pid + '/' + file, 'utf8'); } catch { return ''; } };
  const isOurs = (pid) => read(pid, 'cgroup').replaceAll('_', '-').includes('${uid}') && /^NSpid:.*\\t1$/m.test(read(pid, 'status')) && !read(pid, 'comm').startsWith('pause');
  const found = readdirSync('/proc').filter((name) => /^\\d+$/.test(name) && isOurs(name));
  if (found.length !== 1) throw new Error('found ' + found.length + ' processes');
  process.kill(Number(found[0]), 'SIGKILL');
  while (existsSync('/proc/' + found[0]));
  console.log(Date.now());
`;
