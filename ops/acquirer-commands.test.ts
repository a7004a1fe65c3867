import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@cobro/contracts/ids.ts';
import { dayInMexicoCity } from '@cobro/domain/mexico-city.ts';
import { sql } from '@cobro/postgres/database.ts';
import { untilAgreed } from '@cobro/testing/agreement.ts';
import { runCommand } from '@cobro/testing/run-command.ts';
import { startTwoAcquirers, type TwoAcquirers } from '@cobro/testing/two-acquirers.ts';
import { testMerchant } from '@cobro/testing/test-merchant.ts';
import { acquirerCommands } from './acquirer-commands.ts';
import { reconcileCommands } from './reconcile-command.ts';

let two: TwoAcquirers;
beforeAll(async () => {
  two = await startTwoAcquirers(['payments', 'holds', 'reporting', 'intents', 'webhooks']);
});
afterAll(() => two?.stop());

const acquirers = (args: string[], env: Record<string, string> = {}) =>
  runCommand({
    tables: [acquirerCommands],
    args: ['acquirers', ...args],
    env: {
      KEY_MODE: 'test',
      BANK_URL: two.services.bank.url,
      ACQUIRERS: `other=${two.other.url},dead=http://127.0.0.1:9`,
      PAYMENTS_DATABASE_URL: two.services.databaseUrl('payments'),
      ...env,
    },
  });
const use = (organization: string, ...args: string[]) => acquirers(['use', '--organization', organization, ...args]);

test('an organization that was told to use another acquirer saves its next card there', async () => {
  const { organizationId, saveCard } = await testMerchant(two.services);
  await saveCard();
  expect(await two.other.operations()).toHaveLength(0);
  expect(await use(organizationId, '--name', 'other')).toMatchObject({ code: 0 });
  await saveCard();
  expect(await two.other.operations()).toMatchObject([{ kind: 'tokenize' }]);
  const { out } = await acquirers(['list', '--json']);
  expect(JSON.parse(out)).toMatchObject([
    { acquirer: 'default', organizations: 0, state: 'in use', inquiry: 'close' },
    { acquirer: 'other', organizations: 1, state: 'in use' },
    { acquirer: 'dead', organizations: 0, state: 'does not answer' },
  ]);
});

test.each([
  [['--name', 'nobody'], 'No acquirer is named nobody. There are: default, other, dead.\n'],
  [['--name', 'dead'], 'The acquirer dead does not answer.\n'],
  [['--name', 'other', '--fallback', 'dead'], 'The acquirer dead does not answer.\n'],
  [['--name', 'other', '--fallback', 'other'], '--fallback must be another acquirer\n'],
  [['--name', 'other', '--fallback', 'default', '--alone'], 'either --fallback or --alone, not both\n'],
])('%s is refused and changes nothing', async (args, err) => {
  const organization = newId();
  const answer = await use(organization, ...args);
  expect(answer).toMatchObject({ out: '', err: expect.stringContaining(err) as unknown });
  expect([1, 64]).toContain(answer.code);
  const { out } = await acquirers(['list', '--json']);
  expect(JSON.parse(out)).toMatchObject([{ organizations: 0 }, { organizations: 1 }, { organizations: 0 }]);
});

test('a fallback stays until another one or none is given', async () => {
  const organization = newId();
  const used = async (...args: string[]) => {
    const { code, out, err } = await use(organization, ...args, '--json');
    return code === 0 ? (JSON.parse(out) as { fallback: string | null }).fallback : err;
  };
  expect(await used('--name', 'default')).toBeNull();
  expect(await used('--name', 'default', '--fallback', 'other')).toBe('other');
  expect(await used('--name', 'default')).toBe('other');
  const refused = 'other is the organization’s fallback until now: give --fallback or --alone.\n';
  expect(await used('--name', 'other')).toContain(refused);
  expect(await used('--name', 'other', '--fallback', 'default')).toBe('default');
  expect(await used('--name', 'other', '--alone')).toBeNull();
  expect(await used('--name', 'other')).toBeNull();
  await two.use(organization, 'default');
});

const reconcile = (day: string, env: Record<string, string>) =>
  runCommand({
    tables: [reconcileCommands],
    args: ['reconcile', '--date', day],
    env: {
      KEY_MODE: 'test',
      BANK_URL: two.services.bank.url,
      PAYMENTS_DATABASE_URL: two.services.databaseUrl('payments'),
      HOLDS_DATABASE_URL: two.services.databaseUrl('holds'),
      REPORTING_DATABASE_URL: two.services.databaseUrl('reporting'),
      INTENTS_DATABASE_URL: two.services.databaseUrl('intents'),
      WEBHOOKS_DATABASE_URL: two.services.databaseUrl('webhooks'),
      ...env,
    },
  });
const kept = async (day: string) =>
  (
    await two.services.db('payments').one<{ differences: bigint }>(sql`
      select differences from acquirer_reconciliation where acquirer = 'other' and day = ${day}`)
  ).differences;

test('an acquirer that is left out of ACQUIRERS is missed by the comparison of each day on which it was asked', async () => {
  const { organizationId, saveCard, charge } = await testMerchant(two.services);
  await two.use(organizationId, 'other');
  expect(await charge((await saveCard()).id)).toMatchObject({ status: 201 });
  await untilAgreed(two.books);
  const day = dayInMexicoCity(new Date());
  const missed = await reconcile(day, {});
  const sentence = `other, ${day}: not compared, ACQUIRERS does not name it; operations that it answered: 1\n`;
  expect(missed).toMatchObject({ code: 1, out: expect.stringContaining(sentence) as unknown });
  expect(await kept(day)).toBe(1n);
  const named = await reconcile(day, { ACQUIRERS: `other=${two.other.url}` });
  expect(named).toMatchObject({ code: 0 });
  expect(named.out).not.toContain('not compared');
  expect(await kept(day)).toBe(0n);
});

test('a day of an acquirer that gives no report is kept as not compared, unless it was compared before', async () => {
  const day = dayInMexicoCity(new Date());
  const [there, silent] = [`other=${two.other.url}`, 'other=http://127.0.0.1:9'];
  const missed = async () => {
    const { code, out } = await reconcile(day, { ACQUIRERS: silent });
    expect({ code, out }).toMatchObject({
      code: 1,
      out: expect.stringContaining(`other, ${day}: not compared`) as unknown,
    });
    return kept(day);
  };
  expect(await missed()).toBe(0n);
  await two.services.db('payments').run(sql`delete from acquirer_reconciliation where acquirer = 'other'`);
  expect(await missed()).toBe(1n);
  expect(await reconcile(day, { ACQUIRERS: there })).toMatchObject({ code: 0 });
  expect(await kept(day)).toBe(0n);
});

test('a live deployment uses no acquirer that charges no real cards', async () => {
  const live = { KEY_MODE: 'live' };
  const refused = await acquirers(['use', '--organization', newId(), '--name', 'other'], live);
  expect(refused).toMatchObject({ code: 1, err: 'The acquirer other is not used: it charges no real cards.\n' });
});

test('check tries what charges nobody, and says what it could not try', async () => {
  const before = (await two.other.operations()).filter(({ kind }) => kind !== 'tokenize');
  const { code, out } = await acquirers(['check', '--name', 'other']);
  expect(code).toBe(0);
  expect(out).toMatch(/^passed /m);
  expect(out).not.toContain('FAILED');
  expect((await two.other.operations()).filter(({ kind }) => kind !== 'tokenize')).toEqual(before);
});
