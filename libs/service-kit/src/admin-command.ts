import { z } from 'zod';

/** What a command prints: one thing, or a list of them. Operators read its fields, and `--json` prints them. */
export type Output = object | object[];

/** Prints a sentence for the operator on stderr, beside the result on stdout. */
export type Note = (sentence: string) => void;

/** The id that the examples of all commands use, for an organization, a key or an event. */
export const EXAMPLE_ID = '0199c1d2-0000-7000-8000-000000000001';

/** For a command that takes no options. */
export const noOptions = z.object({});

/** One operator's command, as plain data. Help, parser and tests are made from it. */
export interface Command<Needs> {
  /** What the operator types: a noun and a verb. */
  words: string;
  /** The options as help shows them, each under the name of its field in `options`. */
  usage: string;
  /** What the command does, in a sentence. */
  about: string;
  /** The options of a complete, correct line. Help shows the line, and the tests run it. */
  example: string[];
  /** A field for each option. A field that takes `true` is a flag; all others take text. */
  options: z.ZodObject;
  /** `fields` if rows are too long for a table. Each field then has its own line. */
  layout?: 'fields';
  /**
   * The output as text, if neither a table nor fields suit it. With `isBad` the command exits with 1 although it was carried out.
   */
  report?(output: never): { text: string; isBad: boolean };
  /** @throws OperatorError if the command cannot be carried out */
  run(needs: Needs, options: never, note: Note): Promise<Output>;
}

/** The commands of one service (or of the broker), and what all of them need. */
export interface CommandTable {
  name: string;
  /** The variables that the commands take from the environment. */
  environment: z.ZodObject;
  open(environment: never): unknown;
  close?(needs: never): Promise<void>;
  /** Describes an error of what `open` returned to the operator. Returns undefined if the error is a bug. */
  explain(error: unknown): string | undefined;
  commands: Command<never>[];
}

/** Makes a command whose `run` is typed by its options, and whose `report` by what `run` gives. */
export const command = <Needs, Options extends z.ZodObject, Made extends Output>(
  of: Omit<Command<Needs>, 'options' | 'run' | 'report'> & {
    options: Options;
    run(needs: Needs, options: z.output<Options>, note: Note): Promise<Made>;
    report?(output: Made): { text: string; isBad: boolean };
  },
): Command<Needs> => of;

/** Makes a table whose commands are typed by what the table opens. */
export const commandTable = <Environment extends z.ZodObject, Needs>(
  of: Omit<CommandTable, 'environment' | 'open' | 'close' | 'commands'> & {
    environment: Environment;
    open(environment: z.output<Environment>): Needs;
    close?(needs: Needs): Promise<void>;
    commands: Command<Needs>[];
  },
): CommandTable => of;
