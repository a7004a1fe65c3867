import { type AdminProgram, runAdmin } from '@cobro/service-kit/run-admin.ts';
import { traceTable } from './trace-command.ts';

export { TRACE_USAGE } from './trace-command.ts';

/** Runs `trace ID [--options]`, in which the id needs no name, and returns the exit code. */
export function runTrace(program: Omit<AdminProgram, 'tables'>): Promise<number> {
  const [first, ...rest] = program.args;
  const isId = first !== undefined && !first.startsWith('-') && first !== 'help';
  return runAdmin({ ...program, tables: [traceTable], args: isId ? ['--id', first, ...rest] : program.args });
}
