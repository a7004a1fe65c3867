import { z } from 'zod';

/** Exit codes of sysexits.h, as `npm run admin` uses them. */
const [WRONG_LINE, UNKNOWN_WHERE] = [64, 78];

const record = z.object({
  baseUrl: z.url(),
  terminalCode: z.string().optional(),
  terminalKey: z.string().optional(),
});

export type Which =
  | { kind: 'terminal'; code: string; baseUrl: string; key: string }
  /** Says why no terminal was found. */
  | { kind: 'sentence'; sentence: string; exitCode: number };

const no = (sentence: string, exitCode: number): Which => ({ kind: 'sentence', sentence, exitCode });

/**
 * Which terminal a command line means.
 *
 * @param stackRecord content of the stack's record, undefined if no stack runs
 * @param givenKey key of a terminal that the record does not know
 */
export function whichTerminal(args: string[], stackRecord: string | undefined, givenKey: string | undefined): Which {
  const [code, unknown] = args[0]?.startsWith('-') ? [undefined, args[0]] : args;
  if (unknown !== undefined)
    return no(
      `Unknown argument ${unknown}: npm run terminal takes the code of one terminal, and nothing else.`,
      WRONG_LINE,
    );
  const read = record.safeParse(parsed(stackRecord));
  if (!read.success) return no('No stack runs from this checkout: npm start, then try again.', UNKNOWN_WHERE);
  const { baseUrl, terminalCode, terminalKey } = read.data;
  const wanted = code ?? terminalCode;
  if (wanted === undefined) return no('This stack has no terminal of its own: say the code of one.', UNKNOWN_WHERE);
  const key = givenKey ?? (wanted === terminalCode ? terminalKey : undefined);
  if (key !== undefined) return { kind: 'terminal', code: wanted, baseUrl, key };
  return no(
    `The stack knows the key of terminal ${terminalCode ?? '(none)'} only: set TERMINAL_KEY to the key of ${wanted}, ` +
      'which npm run admin -- terminals create has shown.',
    UNKNOWN_WHERE,
  );
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}
