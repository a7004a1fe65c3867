import { createHash, randomBytes } from 'node:crypto';
import { newId } from '@cobro/contracts/ids.ts';
import { sql } from '@cobro/postgres/database.ts';
import { type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { codeOf, PASSWORD } from '@cobro/testing/test-people.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { CLIENT_SECRET, startIssuer } from '@cobro/testing/test-issuer.ts';
import { browserForTests, describeInBrowser } from './browser-tests.ts';
import { openPage } from './open-page.ts';

describeInBrowser('passkeys in a browser', () => {
  const browser = browserForTests();
  let services: RunningServices;
  beforeAll(async () => {
    services = await startServices({ services: ['dashboard'] });
  });
  afterAll(() => services?.stop());

  const invitation = async (email: string, scopeId = newId()): Promise<string> => {
    const token = randomBytes(32).toString('base64url');
    await services.db('dashboard').run(sql`
      insert into invitation (id, token_hash, purpose, email, scope, scope_id, role, created_at, expires_at)
      values (${newId()}, ${createHash('sha256').update(token).digest()}, 'join', ${email}, 'organization', ${scopeId},
        'owner', now(), now() + interval '1 day')`);
    return token;
  };
  const enterByFactor = async (page: Page): Promise<string> => {
    await page.getByLabel('Contraseña nueva').fill(PASSWORD);
    await page.getByRole('button', { name: 'Continuar' }).click();
    const secret = (await page.locator('code.secret').innerText()).replaceAll(' ', '');
    await page.getByLabel('Código', { exact: true }).fill(codeOf(secret));
    await page.getByRole('button', { name: 'Continuar' }).click();
    await page.getByText('Códigos de recuperación').first().waitFor();
    return secret;
  };

  test('a device of the person is registered, signs in without password and code, and steps up', async () => {
    const url = services.dashboardUrl();
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
    await page.goto(`${url}/invitation/${await invitation('ana@example.com')}`);
    await page.getByLabel('Tu nombre').fill('Ana Torres');
    await enterByFactor(page);
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

    // If the device has none of our passkeys, the page says so and sends nothing.
    await device.send('WebAuthn.clearCredentials', { authenticatorId });
    await page.getByRole('button', { name: 'Salir', exact: true }).first().click();
    await page.getByRole('button', { name: 'Entrar con llave de acceso' }).click();
    await page.getByText('El dispositivo no dio ninguna llave de acceso.').waitFor();
    expect(complaints).toEqual([]);

    // The policy lets no form leave this origin, even by a redirect. The way to an issuer works nevertheless.
    const issuer = await startIssuer(`${url}/sign-in/oidc/`, 'ana@example.com');
    try {
      const scopeId = newId();
      await page.goto(`${url}/invitation/${await invitation('eva@example.com', scopeId)}`);
      await page.getByLabel('Tu nombre').fill('Eva Torres');
      await enterByFactor(page);
      await page.goto(`${url}/settings/sign-on`);
      await page.getByLabel('Emisor (issuer)').fill(issuer.url);
      await page.getByLabel('Identificador de cliente').fill('cobro');
      await page.getByLabel('Secreto de cliente').fill(CLIENT_SECRET);
      await page.getByRole('button', { name: 'Guardar' }).click();
      await page.getByRole('button', { name: 'Probar' }).click();
      await page.waitForURL(`${issuer.url}/**`);
      await page.locator('[name=login]').fill('eva');
      await page.locator('[name=password]').fill('any');
      await page.locator('[name=password]').press('Enter');
      await page.waitForURL(`${url}/settings/sign-on?tested=yes`);
      const address = await page.locator('[data-copy^="http"]:not([data-copy$="/callback"])').getAttribute('data-copy');
      await page.goto(address ?? '');
      await page.getByRole('button', { name: 'Ir a mi proveedor' }).click();
      // The issuer knows the person, but Cobro has no such account.
      await page.getByText('No te conocemos').first().waitFor();

      // Another owner links the account, must sign in by the issuer once that is required, and steps up there.
      const { page: other, close: closeOther, complaints: ofOther } = await openPage(browser(), { width: 1280 });
      const atIssuer = async () => {
        await other.getByRole('button', { name: 'Ir a mi proveedor' }).click();
        await other.waitForURL(`${issuer.url}/**`);
        await other.locator('[name=login]').fill('luis');
        await other.locator('[name=password]').fill('any');
        await other.locator('[name=password]').press('Enter');
      };
      await other.goto(`${url}/invitation/${await invitation('luis@example.com', scopeId)}`);
      await other.getByLabel('Tu nombre').fill('Luis Torres');
      const secret = await enterByFactor(other);
      await other.goto(`${url}/settings/sign-on/link`);
      await atIssuer();
      await other.getByText('Tu cuenta quedó enlazada').first().waitFor();
      await page.goto(`${url}/settings/sign-on`);
      await page.getByRole('button', { name: 'Hacerlo obligatorio' }).click();
      await page.getByRole('button', { name: 'Ya no exigirlo' }).waitFor();
      await other.goto(`${url}/settings`);
      expect(other.url()).toContain('/sign-in/oidc/');
      await other.context().clearCookies();
      await other.goto(`${url}/sign-in?next=/settings/people`);
      await other.getByLabel('Correo').fill('luis@example.com');
      await other.getByLabel('Contraseña').fill(PASSWORD);
      await other.getByRole('button', { name: 'Entrar', exact: true }).click();
      await other.getByLabel('Código', { exact: true }).fill(codeOf(secret, 1));
      await other.getByRole('button', { name: 'Entrar', exact: true }).click();
      await other.waitForURL('**/sign-in/oidc/**');
      await atIssuer();
      await other.waitForURL(`${url}/settings/people`);
      await other.goto(`${url}/confirm?next=/settings/people`);
      await atIssuer();
      await other.waitForURL(`${url}/settings/people`);
      const proved = await services.db('dashboard').one<{ count: number }>(sql`
        select count(*)::int as count from session join person on person.id = person_id
        where email = 'luis@example.com' and ended_at is null and sign_on_id is not null and proved_at is not null`);
      // The issuer's own page loads a font from elsewhere.
      const broken = ofOther.filter((complaint) => !complaint.includes('ERR_NAME_NOT_RESOLVED'));
      expect({ proved, broken }).toEqual({ proved: { count: 1 }, broken: [] });
      await closeOther();
    } finally {
      issuer.stop();
    }
    await close();
  });
});
