import type { Command } from './admin-command.ts';

/** The whole line with all its options. */
export const usageOf = ({ words, usage }: Command<never>, prefix: string) =>
  [prefix, words, usage, '[--json]'].filter(Boolean).join(' ');

/** Every command with its options and, if wanted, a line about what the command does. */
export function commandList(commands: Command<never>[], prefix: string, withAbout = false): string {
  const lines = commands.map(({ words, usage, about }) =>
    [`  ${words} ${usage}`.trimEnd(), ...(withAbout ? [`      ${about}`] : [])].join('\n'),
  );
  return [
    prefix === '' ? 'Commands:' : `Commands, after ${prefix}:`,
    ...lines,
    'With --json the output is one line of JSON. With --help a command says what it does.',
  ].join('\n');
}

/** What each of these commands does, how the operator types it, and a line to copy. */
export const commandHelp = (commands: Command<never>[], prefix: string) =>
  commands
    .map((command) => {
      const example = [prefix, command.words, ...command.example.map(quoted)].filter(Boolean).join(' ');
      return `${usageOf(command, prefix)}\n    ${command.about}\n    ${example}`;
    })
    .join('\n\n');

/** The argument as a shell takes it. */
const quoted = (arg: string) => (/^[\w./:@%+,=-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", `'\\''`)}'`);
