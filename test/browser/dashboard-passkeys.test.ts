import { createHash, randomBytes } from 'node:crypto';
import { newId } from '@cobro/contracts/ids.ts';
import { sql } from '@cobro/postgres/database.ts';
import { type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { codeOf, PASSWORD } from '@cobro/testing/test-people.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { browserForTests, describeInBrowser } from './browser-tests.ts';
import { openPage } from './open-page.ts';

describeInBrowser('passkeys in a browser', () => {
  const browser = browserForTests();
  let services: RunningServices;
  beforeAll(async () => {
    services = await startServices({ services: ['dashboard'] });
  });
  afterAll(() => services?.stop());

  test('a device of the person is registered, signs in without password and code, and steps up', async () => {
    const url = services.dashboardUrl();
    const token = randomBytes(32).toString('base64url');
    await services.db('dashboard').run(sql`
      insert into invitation (id, token_hash, purpose, email, scope, scope_id, role, created_at, expires_at)
      values (${newId()}, ${createHash('sha256').update(token).digest()}, 'join', 'ana@example.com', 'organization', ${newId()},
        'owner', now(), now() + interval '1 day')`);
    const { page, complaints, close } = await openPage(browser(), { width: 1280 });
    const device = await page.context().newCDPSession(page);
    await device.send('WebAuthn.enable');
    const { authenticatorId } = await device.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await page.goto(`${url}/invitation/${token}`);
    await page.getByLabel('Tu nombre').fill('Ana Torres');
    await page.getByLabel('Contraseña nueva').fill(PASSWORD);
    await page.getByRole('button', { name: 'Continuar' }).click();
    const secret = (await page.locator('code.secret').innerText()).replaceAll(' ', '');
    await page.getByLabel('Código', { exact: true }).fill(codeOf(secret));
    await page.getByRole('button', { name: 'Continuar' }).click();
    await page.goto(`${url}/settings/passkeys/new`);
    await page.getByLabel('Nombre de la llave').fill('Laptop');
    await page.getByRole('button', { name: 'Agregar una llave' }).click();
    await page.waitForURL('**/settings');
    await page.getByText('Laptop').waitFor();

    await page.getByRole('button', { name: 'Salir', exact: true }).first().click();
    await page.getByRole('button', { name: 'Entrar con llave de acceso' }).click();
    await page.waitForURL((address) => address.pathname !== '/sign-in');
    await page.goto(`${url}/confirm?next=/settings`);
    await page.getByRole('button', { name: 'Confirmar con llave de acceso' }).click();
    await page.waitForURL('**/settings');
    const { credentials } = await device.send('WebAuthn.getCredentials', { authenticatorId });
    expect(credentials.map(({ rpId, signCount }) => [rpId, signCount])).toEqual([['localhost', 3]]);

    // A device that knows none of ours says so on the page, and nothing is sent.
    await device.send('WebAuthn.clearCredentials', { authenticatorId });
    await page.getByRole('button', { name: 'Salir', exact: true }).first().click();
    await page.getByRole('button', { name: 'Entrar con llave de acceso' }).click();
    await page.getByText('El dispositivo no dio ninguna llave de acceso.').waitFor();
    expect(complaints).toEqual([]);
    await close();
  });
});
