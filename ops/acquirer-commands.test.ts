import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@cobro/contracts/ids.ts';
import { runCommand } from '@cobro/testing/run-command.ts';
import { startTwoAcquirers, type TwoAcquirers } from '@cobro/testing/two-acquirers.ts';
import { testMerchant } from '@cobro/testing/test-merchant.ts';
import { acquirerCommands } from './acquirer-commands.ts';

let two: TwoAcquirers;
beforeAll(async () => {
  two = await startTwoAcquirers(['payments', 'holds']);
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
])('%s is refused and changes nothing', async (args, err) => {
  const organization = newId();
  expect(await use(organization, ...args)).toMatchObject({ code: 1, err });
  const { out } = await acquirers(['list', '--json']);
  expect(JSON.parse(out)).toMatchObject([{ organizations: 0 }, { organizations: 1 }, { organizations: 0 }]);
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
