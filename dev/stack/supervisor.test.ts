import { tmpdir } from 'node:os';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { freePort } from '@cobro/testing/free-port.ts';
import { isAlive, identityOf } from './process-identity.ts';
import { type Run, openRun } from './run.ts';
import { type SupervisedProcess, supervise } from './supervisor.ts';

const SERVICE = `
  require('node:http').createServer((_, res) => res.end(process.env.SAYS)).listen(process.env.PORT, '127.0.0.1');
  process.on('SIGTERM', () => process.env.STUBBORN || process.exit(0));`;

describe('the supervisor', () => {
  let run: Run;
  let launches: number;

  beforeEach(() => {
    run = openRun();
    launches = 0;
  });
  afterEach(() => run.stop());

  async function service(script = SERVICE, env: Record<string, string> = {}): Promise<SupervisedProcess> {
    const port = await freePort();
    return supervise(run, {
      name: 'dummy',
      url: `http://127.0.0.1:${port}`,
      command: process.execPath,
      args: ['-e', script],
      cwd: tmpdir(),
      env: { PORT: String(port), SAYS: 'hello', ...env },
      onLaunch: () => void launches++,
      onReady: async () => {},
    });
  }

  const said = async ({ url }: SupervisedProcess) => (await fetch(url)).text();

  test('starts a process that was killed again on its port, soon', async () => {
    const dummy = await service();
    await dummy.start();
    const before = dummy.pid();
    const killed = performance.now();
    await dummy.kill();
    await dummy.ready();
    // Three seconds on an idle machine.
    expect(performance.now() - killed).toBeLessThan(20_000);
    expect(dummy.pid()).not.toBe(before);
    expect(launches).toBe(2);
    expect(await said(dummy)).toBe('hello');
  });

  test('leaves one that it stopped down, until it is started, with more environment if wanted', async () => {
    const dummy = await service();
    await dummy.start();
    await dummy.stop(5_000);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(dummy.pid()).toBeUndefined();
    await dummy.start({ SAYS: 'goodbye' });
    expect(await said(dummy)).toBe('goodbye');
  });

  test('kills one that does not end in time', async () => {
    const dummy = await service(SERVICE, { STUBBORN: '1' });
    await dummy.start();
    const identity = identityOf(dummy.pid() as number);
    await dummy.stop(200);
    expect(identity !== undefined && isAlive(identity)).toBe(false);
  });

  test('prints the last lines of the log of one that ends while starting, and does not try again', async () => {
    const dummy = await service(`console.error('PORT: must be a port'); process.exit(78)`);
    await expect(dummy.start()).rejects.toThrow(/ended while starting:\n.*PORT: must be a port/s);
    expect(launches).toBe(1);
  });

  test('ends everything when the run stops, however often that is asked', async () => {
    const dummy = await service();
    await dummy.start();
    const identity = identityOf(dummy.pid() as number);
    await Promise.all([run.stop(), run.stop()]);
    expect(identity !== undefined && isAlive(identity)).toBe(false);
  });
});
