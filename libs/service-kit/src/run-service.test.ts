import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { freePort } from '@cobro/testing/free-port.ts';
import { runScript } from '@cobro/testing/run-script.ts';
import { until } from '@cobro/testing/until.ts';

async function startService(drainDelayMs: number) {
  const port = await freePort();
  const script = runScript(`
    import { setTimeout as sleep } from 'node:timers/promises';
    import { createLog } from '@cobro/service-kit/log.ts';
    import { runService } from '@cobro/service-kit/run-service.ts';
    let slow;
    const app = (request, response) => {
      if (request.url !== '/slow') return response.end('ok');
      slow = response;
      console.log('slow has begun');
    };
    await runService({
      log: createLog({ service: 'test', level: 'info' }),
      listeners: [{
        app,
        host: '127.0.0.1',
        port: ${port},
        watch: ({ headersTimeout, requestTimeout, keepAliveTimeout }) => {
          console.log('limits', headersTimeout, requestTimeout, 'idle', keepAliveTimeout);
        },
      }],
      drainDelayMs: ${drainDelayMs},
      beforeClose: async () => {
        console.log('before close');
        setTimeout(() => slow?.end('done'), 200);
      },
      afterClose: async () => console.log('after close'),
    });`);
  const url = `http://127.0.0.1:${port}`;
  await until('it listens', () => script.output.stdout.includes('listening'));
  return { ...script, url, port };
}

test('a service told to end says that it is not ready, answers what has begun, and exits with 0', async () => {
  const { child, ended, output, url } = await startService(8_000);
  await fetch(url);
  const slow = fetch(`${url}/slow`);
  await until('the slow one has begun', () => output.stdout.includes('slow has begun'));
  child.kill('SIGTERM');
  child.kill('SIGINT');
  await until('it is not ready', async () => (await fetch(`${url}/health/ready`)).status === 503);
  const late = await fetch(url);
  expect(late.headers.get('connection')).toBe('keep-alive');
  expect(await late.text()).toBe('ok');
  const last = await slow;
  expect(last.headers.get('connection')).toBe('close');
  expect(await last.text()).toBe('done');
  expect(await ended).toBe(0);
  expect(output.stdout.split('\n').filter((line) => line.includes('close'))).toEqual(['before close', 'after close']);
});

test('its listener waits half a minute for the headers of a request, and for all of it', async () => {
  const { child, ended, output } = await startService(0);
  expect(output.stdout).toContain('limits 30000 30000');
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});

test('it keeps an idle connection longer than Envoy, which keeps one for an hour', async () => {
  const { child, ended, output } = await startService(0);
  const [, idleMs] = /idle (\d+)/.exec(output.stdout) ?? [];
  expect(Number(idleMs)).toBeGreaterThan(3_600_000);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});

test('a socket that says nothing does not hold it up', async () => {
  const { child, ended, port } = await startService(0);
  const silent = connect(port, '127.0.0.1');
  await once(silent, 'connect');
  await sleep(50);
  const begun = Date.now();
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(Date.now() - begun).toBeLessThan(15_000);
  silent.destroy();
});
