import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Merchants } from '../../ops/image/first-merchant.ts';
import { CommandError, type Namespace, run } from './cluster.ts';

/** The functions that docs/deploy.md lets an operator paste, for this namespace. */
function pasted(namespace: string): string {
  const page = readFileSync(path.join(import.meta.dirname, '../../docs/deploy.md'), 'utf8');
  const [, functions] = /```\n(operations\(\) \{[\s\S]*?\n)admin help\n```/.exec(page) ?? [];
  if (functions === undefined) throw new Error('docs/deploy.md has no functions to paste');
  return functions.replaceAll('-n pay', `-n ${namespace}`);
}

/**
 * Runs operator's commands with the page's functions: they reach Postgres and the broker, pass on stdin and exit code, and leave no job.
 */
export async function operatorsCommands({ name, kubectl }: Namespace, { organizationId }: Merchants): Promise<void> {
  const shell = (line: string) => run('bash', ['-c', `${pasted(name)}${line}`]);
  const made = JSON.parse(await shell(`admin keys create --organization ${organizationId} --json`)) as { key: string };
  assert.match(made.key, /^sk_test_/);
  assert.deepEqual(JSON.parse(await shell('admin parked list --json')), []);
  assert.match(await shell('operations migrate'), /the queues of .* are declared/);
  const users = JSON.parse(await shell('operations broker-users')) as { users: object[] };
  assert.ok(users.users.length > 0);
  const turned = await shell(
    `kubectl -n ${name} get secret cobro-keys -o json | operations turn-key --key CURSOR_KEY --step add`,
  );
  assert.equal((JSON.parse(turned) as { kind: string }).kind, 'Secret');
  await assert.rejects(
    shell('admin keys revoke'),
    (error) => error instanceof CommandError && error.message.includes('ended with 64'),
  );
  assert.equal((await kubectl('get', 'jobs', '-o', 'name', '--ignore-not-found')).includes('operations'), false);
}
