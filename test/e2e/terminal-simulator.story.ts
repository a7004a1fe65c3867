import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Secret } from '@cobro/contracts/secret.ts';
import { sql } from '@cobro/postgres/database.ts';
import { setFaults } from '@cobro/testing/bank-faults.ts';
import { bankOperations } from '@cobro/testing/bank-operations.ts';
import { proxyTo } from '@cobro/testing/tcp-proxy.ts';
import { testInFull } from '@cobro/testing/test-in-full.ts';
import { until } from '@cobro/testing/until.ts';
import { expect, test } from '@jest/globals';
import { cardholderWith } from '../../simulators/terminal/src/cardholder.ts';
import { runTerminal, type TerminalOptions } from '../../simulators/terminal/src/run-terminal.ts';
import type { Step } from '../../simulators/terminal/src/step.ts';
import { createTerminal, type StackTerminal } from '../../dev/stack/create-terminal.ts';
import { repositoryFolder } from '../../dev/stack/run-record.ts';
import type { StackUnderTest } from './stack-under-test.ts';

/** The terminal simulator at the real stack, by hand and headless, even when answers are lost. */
export function terminalSimulator({ stack, merchant, db, agreed }: StackUnderTest): void {
  let made = 0;
  const newTerminal = (): Promise<StackTerminal> => {
    const { databaseUrl, merchants } = stack();
    return createTerminal(databaseUrl, { organizationId: merchants.organizationId, code: `SIM-${++made}` });
  };
  const create = async (terminalCode: string): Promise<string> => {
    const body = { amount: 185.5, currency: 'MXN', externalId: `sim-${crypto.randomUUID()}`, terminalCode };
    const { status, body: intent } = await merchant().send('POST', '/payment-intent', { body });
    expect(status).toBe(201);
    return String(intent['id']);
  };
  const read = async (id: string) => (await merchant().send('GET', `/payment-intent/${id}`)).body;
  const sales = async () => (await bankOperations(stack().bankUrl)).filter(({ kind }) => kind === 'sale').length;

  /** Runs a headless terminal while `during` lasts. */
  async function withTerminal(
    options: Pick<TerminalOptions, 'baseUrl' | 'cardholder' | 'key'> & Partial<TerminalOptions>,
    during: (steps: Step[]) => Promise<void>,
  ): Promise<void> {
    const off = new AbortController();
    const steps: Step[] = [];
    const running = runTerminal({ ...options, signal: off.signal, onStep: (step) => steps.push(step) });
    try {
      await during(steps);
    } finally {
      off.abort();
      await running;
    }
  }
  const said = (steps: Step[], kind: Step['kind'], times = 1) =>
    until(`${times} × ${kind}`, () => steps.filter((step) => step.kind === kind).length >= times);

  test('by hand: a card is declined, another one pays, and the till reads CONFIRMED', async () => {
    const { code, key } = await newTerminal();
    const record = join(stack().run.folder, 'terminal.json');
    writeFileSync(record, JSON.stringify({ baseUrl: stack().baseUrl, terminalCode: code, terminalKey: key }), {
      mode: 0o600,
    });
    const id = await create(code);
    const screen = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', 'simulators/terminal/src/main.ts', code],
      { cwd: repositoryFolder, env: { STACK_FILE: record }, stdio: 'pipe' },
    );
    let output = '';
    screen.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    screen.stdin.end('3\nt\n1\ni\n');
    const [exitCode] = (await once(screen, 'close')) as [number | null];
    expect(exitCode).toBe(0);
    const { status, paymentSummary } = await read(id);
    const { operationCode } = paymentSummary as { operationCode: number };
    expect(status).toBe('CONFIRMED');
    expect(output).toMatch(/MXN 185\.50[^]*DECLINED: there is not enough money[^]*PAID[^]*VISA ending in 4242, chip/);
    expect(output).toContain(`Operation ${operationCode}`);
  });

  // In the short form pay-until-known.test.ts and run-terminal.test.ts lose answers, at a service that a test plays.
  testInFull('a bank that stays silent: the receipt comes when the bank, asked, says yes', async () => {
    const { code, key } = await newTerminal();
    const id = await create(code);
    const cardholder = cardholderWith({ cards: ['silentDone'] });
    await withTerminal({ baseUrl: stack().baseUrl, key: new Secret(key), cardholder }, (steps) => said(steps, 'paid'));
    expect(await read(id)).toMatchObject({ status: 'CONFIRMED' });
  });

  testInFull('a tap whose answer is lost is charged once', async () => {
    const { code, key } = await newTerminal();
    const proxy = await proxyTo(stack().baseUrl);
    await proxy.restore();
    const before = await sales();
    await create(code);
    await setFaults(stack().bankUrl, { next: [{ kind: 'sale', fault: 'held' }] });
    const cardholder = cardholderWith();
    await withTerminal({ baseUrl: proxy.url, key: new Secret(key), cardholder }, async (steps) => {
      await until('the tap is at the bank', async () => {
        const open = sql`select from bank_operation where status = 'open'`;
        return (await db('payments').many(open)).length > 0;
      });
      await proxy.cut();
      await said(steps, 'unclear');
      await setFaults(stack().bankUrl, {});
      await proxy.restore();
      await said(steps, 'paid');
      const attempts = new Set(steps.flatMap((step) => ('attemptId' in step ? [step.attemptId] : [])));
      expect(attempts.size).toBe(1);
    });
    await proxy.cut();
    expect(await sales()).toBe(before + 1);
    await expect(agreed()).resolves.toBeUndefined();
  });

  testInFull('a tap that came too late is charged by nobody, and the next one pays', async () => {
    const { code, key } = await newTerminal();
    const proxy = await proxyTo(stack().baseUrl);
    await proxy.restore();
    const before = await sales();
    await create(code);
    let presented = 0;
    const card = cardholderWith();
    const terminal: Parameters<typeof withTerminal>[0] = {
      baseUrl: proxy.url,
      key: new Secret(key),
      tapGoodForMs: 100,
      cardholder: async (shown, signal) => {
        if (presented++ === 0) await proxy.cut();
        return card(shown, signal);
      },
    };
    await withTerminal(terminal, async (steps) => {
      await said(steps, 'unclear');
      await proxy.restore();
      await said(steps, 'paid');
      expect(steps.map(({ kind }) => kind).filter((kind) => kind !== 'unclear' && kind !== 'waiting')).toEqual(
        expect.arrayContaining(['shown', 'tapped', 'notCharged', 'tapped', 'paid']),
      );
    });
    await proxy.cut();
    expect(await sales()).toBe(before + 1);
  });
}
