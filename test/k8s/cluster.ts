import { type ChildProcess, spawn } from 'node:child_process';
import { until } from '@cobro/testing/until.ts';

/** A program ended with another code than 0. The message has its output. */
export class CommandError extends Error {}

/** Returns what the program wrote to stdout. @param input written to its stdin @throws CommandError */
export async function run(program: string, args: string[], input?: string): Promise<string> {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new CommandError(`${program} ${args.slice(0, 6).join(' ')} … ended with ${code}: ${err}${out}`);
  return out;
}

/** Name of the release in each namespace. */
export const RELEASE = 'cobro';
const SELECTOR = `app.kubernetes.io/instance=${RELEASE}`;

export interface Pod {
  metadata: { name: string; uid: string; deletionTimestamp?: string };
  spec: { nodeName: string; volumes: { name: string }[] };
  status: {
    containerStatuses?: { restartCount: number; ready: boolean; state: { running?: object; terminated?: object } }[];
  };
}

export type Namespace = Awaited<ReturnType<typeof makeNamespace>>;

export interface Forward {
  address: string;
  close(): void;
}

/**
 * Makes a namespace in kubectl's cluster. No pod of it reaches another or is reached unless a policy allows it. @param podSecurity what
 * Pod Security Admission enforces there
 */
export async function makeNamespace(name: string, podSecurity: 'restricted' | 'privileged') {
  const kubectl = (...args: string[]) => run('kubectl', ['--namespace', name, ...args]);
  const enforced = { 'pod-security.kubernetes.io/enforce': podSecurity };
  const manifest = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: enforced } };
  await run('kubectl', ['create', '-f', '-'], JSON.stringify(manifest));
  const apply = async (manifests: string) =>
    void (await run('kubectl', ['--namespace', name, 'apply', '-f', '-'], manifests));
  await apply(JSON.stringify(denyByDefault));
  const podsBy = async (selector: string) =>
    (JSON.parse(await kubectl('get', 'pods', '-l', selector, '-o', 'json')) as { items: Pod[] }).items;
  return {
    name,
    kubectl,
    apply,
    /** Pods of one service of the release, without those that are ending. */
    pods: async (service: string) =>
      (await podsBy(`${SELECTOR},app.kubernetes.io/component=${service}`)).filter((pod) => !isEnding(pod)),
    pod: async (pod: string) => JSON.parse(await kubectl('get', 'pod', pod, '-o', 'json')) as Pod,
    /** Waits until every Deployment has all of its pods, new and ready, and no old one is left. */
    settled: async () => {
      await kubectl('rollout', 'status', 'deployments', '-l', SELECTOR, '--timeout=180s');
      await until('no pod is ending', async () => !(await podsBy(SELECTOR)).some(isEnding));
    },
    /** Runs a pod to its end and returns its log. @throws CommandError if it fails */
    runPod: (pod: string, { labels, spec }: { labels: Record<string, string>; spec: object }) =>
      runPod(kubectl, apply, { metadata: { name: pod, labels }, spec }),
    /** An address on this machine that leads to a port of a pod, until `close`. */
    forward: (target: string, port: number) => listening(['--namespace', name, 'port-forward', target, `:${port}`]),
    remove: async () => void (await run('kubectl', ['delete', 'namespace', name, '--timeout=120s'])),
  };
}

/** Label of objects that belong to the test and to no release. */
export const OF_THE_TEST = { 'app.kubernetes.io/managed-by': 'e2e' };

const denyByDefault = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'deny-by-default', labels: OF_THE_TEST },
  spec: { podSelector: {}, policyTypes: ['Ingress', 'Egress'] },
};

const isEnding = ({ metadata }: Pod) => metadata.deletionTimestamp !== undefined;

async function runPod(
  kubectl: (...args: string[]) => Promise<string>,
  apply: (manifests: string) => Promise<void>,
  pod: { metadata: { name: string; labels: Record<string, string> }; spec: object },
): Promise<string> {
  const { name } = pod.metadata;
  // A new namespace gets its service account a moment later.
  await until('there is a service account', async () =>
    (await kubectl('get', 'serviceaccounts', '-o', 'name')).includes('/default'),
  );
  await apply(JSON.stringify({ apiVersion: 'v1', kind: 'Pod', ...pod }));
  const phase = async () => (await kubectl('get', 'pod', name, '-o', 'jsonpath={.status.phase}')).trim();
  await until(`${name} has ended`, async () => ['Succeeded', 'Failed'].includes(await phase()));
  const [ended, log] = [await phase(), await kubectl('logs', name)];
  await kubectl('delete', 'pod', name, '--now');
  if (ended === 'Failed') throw new CommandError(`the pod ${name} failed: ${log}`);
  return log;
}

/** Starts a kubectl that listens on this machine, until `close`. */
export async function listening(args: string[]): Promise<Forward> {
  const child: ChildProcess = spawn('kubectl', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const local = await new Promise<string>((resolve, reject) => {
    let output = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const found = /127\.0\.0\.1:(\d+)/.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', () => reject(new CommandError(`kubectl ${args.join(' ')} ended`)));
  });
  return { address: `127.0.0.1:${local}`, close: () => void child.kill() };
}
