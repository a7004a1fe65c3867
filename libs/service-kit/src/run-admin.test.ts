import { capturedOutput } from '@cobro/testing/captured-output.ts';
import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { command, commandTable, type CommandTable } from './admin-command.ts';
import { OperatorError } from './operator-error.ts';
import { runAdmin } from './run-admin.ts';

/** What a table opened and closed, and what its commands were given. */
let log: string[] = [];

const noun = z.object({ name: z.string({ error: 'is required' }), size: z.enum(['s', 'l']).default('s') });

const shop = commandTable({
  name: 'shop',
  environment: z.object({ SHOP: z.string({ error: 'is not set' }) }),
  open: ({ SHOP }) => {
    log.push(`open ${SHOP}`);
    return { shop: SHOP };
  },
  close: async ({ shop: name }) => void log.push(`close ${name}`),
  explain: (error) => (error instanceof RangeError ? `The shop says: ${error.message}.` : undefined),
  commands: [
    command({
      words: 'shirts sew',
      usage: '--name NAME [--size s|l]',
      about: 'sews one',
      example: ['--name', "Ana's"],
      options: noun,
      run: async ({ shop: name }: { shop: string }, options, note) => {
        if (options.name === 'nobody') throw new OperatorError('There is nobody.');
        if (options.name === 'far') throw new RangeError('too far');
        if (options.name === 'bug') throw new TypeError('oh');
        note(`sewn in ${name}`);
        return { ...options, buttons: null };
      },
    }),
    command({
      words: 'shirts list',
      usage: '[--all]',
      about: 'shows them',
      example: [],
      options: z.object({ all: z.boolean().default(false) }),
      run: async (_: { shop: string }, { all }) => (all ? [{ name: 'a' }, { name: 'b' }] : []),
    }),
    command({
      words: 'shirts show',
      usage: '',
      about: 'shows them at length',
      example: [],
      options: z.object({}),
      layout: 'fields',
      run: async (_: { shop: string }) => [{ name: 'a' }, { name: 'b' }],
    }),
  ],
});
const tables: CommandTable[] = [shop];

async function admin(args: string[], env: Record<string, string> = { SHOP: 'corner' }, unknownWhere?: string) {
  log = [];
  const { printed, ...streams } = capturedOutput();
  const where = unknownWhere === undefined ? {} : { unknownWhere };
  const code = await runAdmin({ tables, args, env, prefix: 'run', ...where, ...streams });
  return { code, ...printed };
}

describe('a command', () => {
  test('answers lines, and a table where it is a list, or lines of each where rows are long', async () => {
    expect(await admin(['shirts', 'sew', '--name', 'Ana'])).toEqual({
      code: 0,
      out: 'name: Ana\nsize: s\nbuttons: null\n',
      err: 'sewn in corner\n',
    });
    expect((await admin(['shirts', 'list', '--all'])).out).toContain("│ 1       │ 'b'  │");
    expect((await admin(['shirts', 'list'])).out).toBe('none\n');
    expect((await admin(['shirts', 'show'])).out).toBe('name: a\n\nname: b\n');
    expect(log).toEqual(['open corner', 'close corner']);
  });

  test('answers one line of JSON with --json, whatever else it says', async () => {
    const sewn = await admin(['shirts', 'sew', '--json', '--name', 'Ana', '--size', 'l']);
    expect(sewn).toEqual({ code: 0, out: '{"name":"Ana","size":"l","buttons":null}\n', err: 'sewn in corner\n' });
    expect((await admin(['shirts', 'show', '--json'])).out).toBe('[{"name":"a"},{"name":"b"}]\n');
  });

  test.each([
    ['nobody', 'There is nobody.\n'],
    ['far', 'The shop says: too far.\n'],
  ])('ends with 1 where it cannot be done: %s', async (name, err) => {
    expect(await admin(['shirts', 'sew', '--name', name])).toEqual({ code: 1, out: '', err });
    expect(log).toEqual(['open corner', 'close corner']);
  });

  test('hides no bug, and closes what it opened', async () => {
    await expect(admin(['shirts', 'sew', '--name', 'bug'])).rejects.toThrow('oh');
    expect(log).toEqual(['open corner', 'close corner']);
  });

  test('ends with 78 where it is not known where, and a wrong line comes before that', async () => {
    const lost = await admin(['shirts', 'list'], {}, 'No shop is open.');
    const err = 'No shop is open. The environment is not complete: SHOP: is not set.\n';
    expect(lost).toEqual({ code: 78, out: '', err });
    expect((await admin(['shirts', 'sew'], {})).code).toBe(64);
    expect(log).toEqual([]);
  });
});

describe('a line that is wrong', () => {
  test.each([
    [[], 'A command is missing.'],
    [['trousers', 'sew'], 'There is no command “trousers sew”.'],
    [['constructor'], 'There is no command “constructor”.'],
    [['shirts', 'sew', 'more'], 'There is no command “shirts sew more”.'],
    [['shirts', 'sew', '--name', 'Ana', 'more'], "Unexpected argument 'more'"],
    [['shirts', 'sew', '--name', 'Ana', '--nme', 'x'], "Unknown option '--nme'"],
    [['shirts', 'sew', '--name', 'Ana', '--name', 'Eva'], '--name is given twice'],
    [['shirts', 'sew', '--name'], 'argument missing'],
    [['shirts', 'sew', '--size', 'xl'], '--name is required\n--size Invalid option'],
    [['shirts', 'list', '--all=yes'], 'does not take an argument'],
    [['help', 'trousers'], 'There is no command “trousers”.'],
  ])('is answered with what is wrong, and nothing is opened: %j', async (args, why) => {
    const { code, out, err } = await admin(args);
    expect({ code, out, log }).toEqual({ code: 64, out: '', log: [] });
    expect(err).toContain(why);
    expect(err).not.toMatch(/^ +at /m);
  });

  test('shows the command that was meant, or those that begin so, or all', async () => {
    expect((await admin(['shirts', 'sew'])).err).toBe(
      '--name is required\nUsage: run shirts sew --name NAME [--size s|l] [--json]\n',
    );
    expect((await admin(['shirts'])).err).toContain('Commands, after run:\n  shirts sew --name NAME [--size s|l]\n');
    expect((await admin(['trousers'])).err).toContain('  shirts list [--all]\n');
  });
});

describe('help', () => {
  test('tells of all commands, of those of a noun, or of one, with a line that a shell takes', async () => {
    for (const all of [['help'], ['--help'], ['-h']]) {
      const { code, out } = await admin(all, {});
      expect(code).toBe(0);
      expect(out).toContain('  shirts sew --name NAME [--size s|l]\n      sews one\n  shirts list [--all]\n');
      expect(out).toContain('Exits with 0; 1 where it cannot be done; 64');
    }
    for (const one of [
      ['help', 'shirts', 'sew'],
      ['shirts', 'sew', '--help'],
      ['shirts', 'sew', '--name', 'x', '-h'],
    ]) {
      const { code, out, err } = await admin(one, {});
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(out).toContain("    sews one\n    run shirts sew --name 'Ana'\\''s'\n");
      expect(out).not.toContain('shirts list');
    }
    expect(log).toEqual([]);
  });

  test('is data with --json', async () => {
    const { code, out } = await admin(['help', '--json'], {});
    expect({ code, lines: out.split('\n').length }).toEqual({ code: 0, lines: 2 });
    expect(JSON.parse(out)).toContainEqual({ command: 'shirts list', usage: '[--all]', about: 'shows them' });
  });
});
