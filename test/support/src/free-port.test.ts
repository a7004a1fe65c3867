import { once } from 'node:events';
import { runScript } from './run-script.ts';
import { expect, test } from '@jest/globals';
import { freePort } from './free-port.ts';

const COUNT = 40;

test('two processes that look for ports at the same time never get the same one', async () => {
  const script = `
    const { freePort } = await import('./test/support/src/free-port.ts');
    const ports = [];
    for (let i = 0; i < ${COUNT}; i++) ports.push(await freePort());
    console.log(JSON.stringify(ports));
    setInterval(() => {}, 1000);`;
  const others = [runScript(script), runScript(script)];
  const own: number[] = [];
  for (let i = 0; i < COUNT; i++) own.push(await freePort());
  for (const { child, output } of others) {
    while (!output.stdout.includes('\n')) await once(child.stdout as NodeJS.ReadableStream, 'data');
    own.push(...(JSON.parse(output.stdout) as number[]));
  }
  for (const { child } of others) child.stdin?.end();
  expect(new Set(own).size).toBe(3 * COUNT);
});
