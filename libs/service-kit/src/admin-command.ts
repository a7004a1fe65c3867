import type { z } from 'zod';

/** What a command answers: one thing, or a list of them. Its fields are what an operator reads and what `--json` prints. */
export type Answer = object | object[];

/** Tells the operator a sentence on stderr, beside the answer. */
export type Note = (sentence: string) => void;

/** The id in the examples of all commands: of an organization, a key, an event. */
export const EXAMPLE_ID = '0199c1d2-0000-7000-8000-000000000001';

/** One command of an operator, as plain data: help, the parser and the tests are made from it. */
export interface Command<Needs> {
  /** What is typed: a noun and a verb. */
  words: string;
  /** Its options as help shows them, each under the name of its field in `options`. */
  usage: string;
  /** What it does, in a sentence. */
  about: string;
  /** Options of a whole line that is right; help shows it, and the tests run it. */
  example: string[];
  /** A field for each option. One that takes `true` is a flag, all others take text. */
  options: z.ZodObject;
  /** `fields` where rows are too long for a table: each field then has a line of its own. */
  layout?: 'fields';
  /** @throws OperatorError where it cannot be done */
  run(needs: Needs, options: never, note: Note): Promise<Answer>;
}

/** The commands of one service (or of the broker), and what all of them need. */
export interface CommandTable {
  name: string;
  /** What it takes from the environment. */
  environment: z.ZodObject;
  open(environment: never): unknown;
  close?(needs: never): Promise<void>;
  /** An error of what was opened, as a sentence for the operator; undefined where it is a bug. */
  explain(error: unknown): string | undefined;
  commands: Command<never>[];
}

/** A command whose `run` is typed by its options. */
export const command = <Needs, Options extends z.ZodObject>(
  of: Omit<Command<Needs>, 'options' | 'run'> & {
    options: Options;
    run(needs: Needs, options: z.output<Options>, note: Note): Promise<Answer>;
  },
): Command<Needs> => of;

/** A table whose commands are typed by what it opens. */
export const commandTable = <Environment extends z.ZodObject, Needs>(
  of: Omit<CommandTable, 'environment' | 'open' | 'close' | 'commands'> & {
    environment: Environment;
    open(environment: z.output<Environment>): Needs;
    close?(needs: Needs): Promise<void>;
    commands: Command<Needs>[];
  },
): CommandTable => of;
