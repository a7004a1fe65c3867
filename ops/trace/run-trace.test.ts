import { capturedOutput } from '@cobro/testing/captured-output.ts';
import { expect, test } from '@jest/globals';
import { runTrace } from './run-trace.ts';
import { PAYMENT } from './test-timeline.ts';

async function trace(args: string[], env: Record<string, string> = {}) {
  const { printed, ...streams } = capturedOutput();
  const code = await runTrace({ args, env, prefix: 'npm run trace --', ...streams });
  return { code, ...printed };
}

test.each([[['help']], [['--help']], [[PAYMENT, '--help']]])('has help by %j', async (args) => {
  const { code, out, err } = await trace(args);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toContain('  ID [--full] [--database URL] [--spans FILE]\n');
});

test.each([[[]], [['two words']], [[PAYMENT, PAYMENT]], [[PAYMENT, '--nothing']], [[PAYMENT, '--database', 'here']]])(
  'ends with 64 for the line %j',
  async (args) => {
    const { code, out, err } = await trace(args);
    expect({ code, out }).toEqual({ code: 64, out: '' });
    expect(err).toContain('Usage: npm run trace -- ID [--full]');
  },
);

test('ends with 78 where it is not known where to look', async () => {
  const { code, out, err } = await trace([PAYMENT]);
  expect({ code, out }).toEqual({ code: 78, out: '' });
  expect(err).toBe('It is not known where to look: give --database URL, or --spans FILE, or both.\n');
  const wrong = await trace([PAYMENT], { HOLDS_DATABASE_URL: 'here' });
  expect(wrong).toEqual({
    code: 78,
    out: '',
    err: 'The environment is not complete: HOLDS_DATABASE_URL: must be an address.\n',
  });
});

test('ends with 1 where nothing is known, and says what could not be looked at, but no password', async () => {
  const nowhere = 'postgres://u:secret@127.0.0.1:1/none';
  const { code, out, err } = await trace([PAYMENT, '--spans', '/no/such.jsonl'], { PAYMENTS_DATABASE_URL: nowhere });
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toMatch(/^Nothing is known of 0199c1d2-0000-7000-8000-0000000000aa\.\n/);
  expect(err).toContain('Spans are missing: there is no file /no/such.jsonl.');
  expect(err).toContain(
    'What holds, intents, reporting and webhooks knows is missing: no address of a database is given.\n',
  );
  expect(err).toMatch(/What payments knows is missing\. The database is not available: .*\n$/);
  expect(err).not.toContain('secret');
});
