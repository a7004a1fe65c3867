import { parseArgs } from 'node:util';
import type { z } from 'zod';
import type { Command, CommandTable } from './admin-command.ts';
import { commandList, usageOf } from './command-help.ts';

/** The command line is wrong. The message says what would be right. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** What a line asks for: one command, or help about some. */
export type CommandLine =
  | { kind: 'command'; table: CommandTable; command: Command<never>; options: unknown; json: boolean }
  | { kind: 'help'; commands: Command<never>[]; json: boolean };

/**
 * Reads a command line and runs nothing. @param prefix what is typed before a command, such as `npm run admin --`; only help
 * shows it @throws UsageError
 */
export function readCommandLine(tables: CommandTable[], args: string[], prefix = ''): CommandLine {
  const all = tables.flatMap(({ commands }) => commands);
  const { words, options, wantsHelp } = split(args);
  if (wantsHelp) {
    const meant = beginningWith(all, words);
    if (meant.length > 0) return { kind: 'help', commands: meant, json: options.includes('--json') };
  }
  const chosen = all.find((one) => one.words === words.join(' '));
  const table = tables.find(({ commands }) => chosen !== undefined && commands.includes(chosen));
  if (chosen !== undefined && table !== undefined) return readOptions(table, chosen, options, prefix);
  const problem = words.length === 0 ? 'A command is missing.' : `There is no command “${words.join(' ')}”.`;
  throw new UsageError(`${problem}\n\n${commandList(nearest(all, words), prefix)}`);
}

const beginningWith = (all: Command<never>[], words: string[]) =>
  all.filter((one) => words.every((word, i) => one.words.split(' ')[i] === word));

/** The commands that begin with as many of these words as possible. */
function nearest(all: Command<never>[], words: string[]): Command<never>[] {
  const found = beginningWith(all, words);
  return found.length > 0 ? found : nearest(all, words.slice(0, -1));
}

/**
 * Splits the words from the options: the words are everything before the first option. `help` before the words and `--help` after
 * them mean the same.
 */
function split(args: string[]) {
  const firstOption = args.findIndex((arg) => arg.startsWith('-'));
  const typed = firstOption === -1 ? args : args.slice(0, firstOption);
  const options = args.slice(typed.length);
  const words = typed[0] === 'help' ? typed.slice(1) : typed;
  const wantsHelp = typed[0] === 'help' || options.includes('--help') || options.includes('-h');
  return { words, options, wantsHelp };
}

function readOptions(table: CommandTable, command: Command<never>, args: string[], prefix: string): CommandLine {
  const wrong = (problem: string) => new UsageError(`${problem}\nUsage: ${usageOf(command, prefix)}`);
  const { json, ...given } = parse(args, command.options.shape, wrong);
  const read = command.options.safeParse(given);
  if (read.success) return { kind: 'command', table, command, options: read.data, json: json === true };
  const problems = read.error.issues.map(({ path, message }) =>
    path[0] === undefined ? message : `--${String(path[0])} ${message}`,
  );
  throw wrong(problems.join('\n'));
}

function parse(args: string[], shape: z.ZodRawShape, wrong: (problem: string) => UsageError) {
  const names = Object.keys(shape);
  const options = Object.fromEntries(names.map((name) => [name, { type: kindOf(shape[name] as z.ZodType) }]));
  try {
    const { values, tokens } = parseArgs({
      args,
      options: { ...options, json: { type: 'boolean' } },
      tokens: true,
    });
    const given = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []));
    const twice = given.find((name, i) => given.indexOf(name) !== i);
    if (twice !== undefined) throw new Error(`--${twice} is given twice`);
    return values as Record<string, string | boolean | undefined>;
  } catch (error) {
    throw wrong((error as Error).message);
  }
}

const kindOf = (schema: z.ZodType) => (schema.safeParse(true).success ? 'boolean' : 'string');
