import { Writable } from 'node:stream';
import { type AdminProgram, runAdmin } from '@cobro/service-kit/run-admin.ts';

/** For tests: runs an operator's command in this process, and gives its exit code and what it printed. */
export async function runCommand(program: Omit<AdminProgram, 'stdout' | 'stderr'>) {
  const printed = { out: '', err: '' };
  const into = (name: 'out' | 'err') =>
    new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        printed[name] += chunk.toString();
        done();
      },
    });
  const code = await runAdmin({ ...program, stdout: into('out'), stderr: into('err') });
  return { code, ...printed };
}
