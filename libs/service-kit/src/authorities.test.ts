import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listening } from '@cobro/testing/listening.ts';
import { runScript } from '@cobro/testing/run-script.ts';
import { testCertificate } from '@cobro/testing/test-certificate.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

let server: Awaited<ReturnType<typeof listening>>;
let folder = '';

beforeAll(async () => {
  server = await listening(createServer(testCertificate, (_req, res) => res.end('yes')));
  folder = mkdtempSync(join(tmpdir(), 'authorities-'));
  writeFileSync(join(folder, 'postgres.crt'), testCertificate.cert);
  // Kubernetes keeps links with such names beside the files.
  writeFileSync(join(folder, '..data'), 'no certificate');
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

async function ask(env: Record<string, string>): Promise<string> {
  const script = `import '@cobro/service-kit/authorities.ts';
    const answer = await fetch('https://localhost:${server.port}').then((r) => r.text(), (error) => error.cause.code);
    console.log(answer); process.exit();`;
  const { ended, output } = runScript(script, env);
  await ended;
  return output.stdout.trim();
}

test('a server with a certificate of an authority in the folder is believed', async () => {
  expect(await ask({ TRUSTED_AUTHORITIES: folder })).toBe('yes');
});

test('without the folder it is not', async () => {
  expect(await ask({})).toMatch(/SELF_SIGNED|UNABLE_TO_VERIFY/);
});

test('an authority that is renewed while the process runs is believed, and rubbish changes nothing', async () => {
  const renewed = mkdtempSync(join(tmpdir(), 'authorities-'));
  const script = `import '@cobro/service-kit/authorities.ts';
    const ask = () => fetch('https://localhost:${server.port}').then((r) => r.text(), (error) => error.cause.code);
    setInterval(async () => { const answer = await ask(); if (answer === 'yes') { console.log(answer); process.exit(); } }, 20);
    console.log('started');`;
  const { ended, output } = runScript(script, { TRUSTED_AUTHORITIES: renewed });
  await until('it runs', () => output.stdout.includes('started'));
  writeFileSync(join(renewed, 'postgres.crt'), 'no certificate');
  writeFileSync(join(renewed, 'postgres.crt'), testCertificate.cert);
  await ended;
  rmSync(renewed, { recursive: true });
  expect(output.stdout).toBe('started\nyes\n');
});
