import { join } from 'node:path';
import { runScript } from '@cobro/testing/run-script.ts';
import { expect, test } from '@jest/globals';

test('of an issuer’s failure the log has the kind, and nothing of what the issuer said', async () => {
  const { ended, output } = runScript(`
    import { readDashboardAssets } from '@cobro/dashboard/assets.ts';
    import { createLog } from '@cobro/service-kit/log.ts';
    import { refusedByIssuer } from '${join(import.meta.dirname, 'come-back.ts')}';
    import { IssuerFailed } from '${join(import.meta.dirname, 'issuer.ts')}';
    const log = createLog({ service: 'dashboard', level: 'warn' });
    const visit = { address: '/', language: 'es', requestId: 'r1', query: new URLSearchParams() };
    const cause = Object.assign(new TypeError('secret'), { code: 'OAUTH_INVALID_RESPONSE' });
    await refusedByIssuer({ log, assets: readDashboardAssets(), isTestMode: true }, visit, new IssuerFailed(cause));`);
  expect(await ended).toBe(0);
  expect(JSON.parse(output.stdout)).toMatchObject({
    requestId: 'r1',
    reason: 'TypeError OAUTH_INVALID_RESPONSE',
    msg: 'an issuer failed',
  });
  expect(output.stdout).not.toContain('secret');
});
