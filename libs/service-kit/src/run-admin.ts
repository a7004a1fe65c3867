import { Console } from 'node:console';
import type { Command, CommandTable, Output } from './admin-command.ts';
import { commandHelp, commandList } from './command-help.ts';
import { type CommandLine, readCommandLine, UsageError } from './command-line.ts';
import { OperatorError, UnknownWhereError } from './operator-error.ts';

/** Exit codes of every command. 64 and 78 are those of sysexits.h. */
const EXIT = { done: 0, cannotBeDone: 1, wrongLine: 64, unknownWhere: 78 } as const;

const EXIT_CODES =
  'Exits with 0; 1 where it cannot be done; 64 for a wrong command line; 78 where it is not known where.';

export interface AdminProgram {
  tables: CommandTable[];
  /** The command line after the program's name. */
  args: string[];
  env: Record<string, string | undefined>;
  /** What is typed before a command, for help: `npm run admin --`. */
  prefix?: string;
  /** Why a variable that is missing in `env` is not known from elsewhere either. */
  unknownWhere?: string;
  stdout: NodeJS.WritableStream;
  stderr: NodeJS.WritableStream;
}

/**
 * Runs one command and returns its exit code. The result goes to stdout, with `--json` as exactly one line. Everything else goes
 * to stderr. @throws errors that are bugs
 */
export async function runAdmin(program: AdminProgram): Promise<number> {
  const { tables, args, prefix = '', stderr } = program;
  let line: CommandLine;
  try {
    line = readCommandLine(tables, args, prefix);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    stderr.write(`${error.message}\n`);
    return EXIT.wrongLine;
  }
  if (line.kind === 'command') return runCommand(program, line);
  printHelp(program, line.commands, line.json);
  return EXIT.done;
}

async function runCommand(program: AdminProgram, line: CommandLine & { kind: 'command' }): Promise<number> {
  const { table, command } = line;
  const environment = table.environment.safeParse(program.env);
  if (!environment.success) {
    const problems = environment.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    const why = program.unknownWhere === undefined ? '' : `${program.unknownWhere} `;
    program.stderr.write(`${why}The environment is not complete: ${problems.join('; ')}.\n`);
    return EXIT.unknownWhere;
  }
  try {
    const needs = table.open(environment.data as never) as never;
    try {
      const note = (sentence: string) => void program.stderr.write(`${sentence}\n`);
      const output = await command.run(needs, line.options as never, note);
      const report = command.report?.(output as never);
      printOutput(program.stdout, output, { ...line, report });
      return report?.isBad === true ? EXIT.cannotBeDone : EXIT.done;
    } finally {
      await table.close?.(needs);
    }
  } catch (error) {
    const sentence = error instanceof OperatorError ? error.message : table.explain(error);
    if (sentence === undefined) throw error;
    program.stderr.write(`${sentence}\n`);
    return error instanceof UnknownWhereError ? EXIT.unknownWhere : EXIT.cannotBeDone;
  }
}

function printOutput(
  stdout: NodeJS.WritableStream,
  output: Output,
  { command, json, report }: { command: Command<never>; json: boolean; report: { text: string } | undefined },
): void {
  if (json) stdout.write(`${JSON.stringify(output)}\n`);
  else if (report !== undefined) stdout.write(report.text);
  else if (!Array.isArray(output)) stdout.write(fieldsOf(output));
  else if (output.length === 0) stdout.write('none\n');
  else if (command.layout === 'fields') stdout.write(output.map(fieldsOf).join('\n'));
  else new Console(stdout).table(output);
}

const fieldsOf = (output: object) =>
  Object.entries(output)
    .map(([name, value]) => `${name}: ${String(value)}\n`)
    .join('');

function printHelp({ stdout, tables, prefix = '' }: AdminProgram, commands: Command<never>[], json: boolean): void {
  if (json) {
    const rows = commands.map(({ words, usage, about }) => ({ command: words, usage, about }));
    stdout.write(`${JSON.stringify(rows)}\n`);
    return;
  }
  const isAll = commands.length === tables.reduce((sum, table) => sum + table.commands.length, 0);
  const help = isAll ? commandList(commands, prefix, true) : commandHelp(commands, prefix);
  stdout.write(`${help}\n${EXIT_CODES}\n`);
}
