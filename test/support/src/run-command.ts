import { type AdminProgram, runAdmin } from '@cobro/service-kit/run-admin.ts';
import { capturedOutput } from './captured-output.ts';

/** For tests: runs an operator's command in this process. Returns its exit code and what it printed. */
export async function runCommand(program: Omit<AdminProgram, 'stdout' | 'stderr'>) {
  const { printed, ...streams } = capturedOutput();
  const code = await runAdmin({ ...program, ...streams });
  return { code, ...printed };
}
