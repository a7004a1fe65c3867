import { newId } from '@cobro/contracts/ids.ts';
import type { Database } from '@cobro/postgres/database.ts';
import { TOTP, Secret } from 'otpauth';
import { insertInvitation } from './people/invitation.store.ts';
import { newLink } from './people/link.ts';
import type { Role, ScopeKind } from './people/roles.rules.ts';
import { openBrowser, type TestBrowser } from './test-browser.ts';

export const PASSWORD = 'una frase bastante larga';

export interface TestPerson {
  email: string;
  totpSecret: string;
  recoveryCodes: string[];
  browser: TestBrowser;
  scopeId: string | null;
}

/** The code of this step, or of a later one, because a step works once. */
export const codeOf = (secret: string, stepsLater = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: 30 }).generate({
    timestamp: Date.now() + stepsLater * 30_000,
  });

/** Invites somebody as an operator does, and accepts as the invited does: to a password, a factor and a session. */
export async function testPerson(
  db: Database,
  baseUrl: string,
  {
    role = 'owner',
    kind = 'organization',
    scopeId = newId(),
    from,
  }: { role?: Role; kind?: ScopeKind; scopeId?: string | null; from?: string } = {},
): Promise<TestPerson> {
  const email = `${newId()}@example.com`;
  const { row, path } = newLink({ purpose: 'join', email, scope: kind, scopeId, role, madeBy: null }, new Date());
  await insertInvitation(db, row);
  const browser = openBrowser(baseUrl, from);
  await browser.get(path);
  await browser.post(path, { name: 'Ana Torres', password: PASSWORD });
  const { html } = await browser.get('/second-factor');
  const totpSecret = (/class="secret"[^>]*>([A-Z2-7 ]+)</.exec(html)?.[1] ?? '').replaceAll(' ', '');
  const set = await browser.post('/second-factor', { code: codeOf(totpSecret) });
  const recoveryCodes = [...set.html.matchAll(/<li><code>([^<]+)</g)].map(([, code = '']) => code);
  if (set.status !== 200 || recoveryCodes.length !== 10) throw new Error(`no factor: ${set.status} ${set.html}`);
  return { email, totpSecret, recoveryCodes, browser, scopeId };
}

/** Signs in in another browser, by a step that has not been used. */
export async function signInAgain(baseUrl: string, person: TestPerson, from?: string): Promise<TestBrowser> {
  const browser = openBrowser(baseUrl, from);
  await browser.get('/sign-in');
  await browser.post('/sign-in', { email: person.email, password: PASSWORD });
  await browser.get('/sign-in/factor');
  const code = person.recoveryCodes.pop() ?? '';
  const answer = await browser.post('/sign-in/factor', { code });
  if (answer.status !== 303) throw new Error(`not signed in: ${answer.status} ${answer.html}`);
  return browser;
}
