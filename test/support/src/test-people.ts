import { Secret, TOTP } from 'otpauth';
import { openBrowser, type TestBrowser } from './test-browser.ts';

export const PASSWORD = 'una frase bastante larga';

export interface AcceptedInvitation {
  browser: TestBrowser;
  totpSecret: string;
  /** The TOTP code that the set-up has used. */
  code: string;
  recoveryCodes: string[];
}

/** The code of this step, or of a later one, because a step works once. */
export const codeOf = (secret: string, stepsLater = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: 30 }).generate({
    timestamp: Date.now() + stepsLater * 30_000,
  });

/** Follows the link of an invitation to a password, a factor and a session. */
export async function acceptInvitation(dashboardUrl: string, path: string, from?: string): Promise<AcceptedInvitation> {
  const browser = openBrowser(dashboardUrl, from);
  await browser.get(path);
  await browser.post(path, { name: 'Ana Torres', password: PASSWORD });
  const { html } = await browser.get('/second-factor');
  const totpSecret = (/class="secret"[^>]*>([A-Z2-7 ]+)</.exec(html)?.[1] ?? '').replaceAll(' ', '');
  const code = codeOf(totpSecret);
  const set = await browser.post('/second-factor', { code });
  const recoveryCodes = [...set.html.matchAll(/<li><code>([^<]+)</g)].map(([, one = '']) => one);
  if (set.status !== 200 || recoveryCodes.length !== 10) throw new Error(`no factor: ${set.status} ${set.html}`);
  return { browser, totpSecret, code, recoveryCodes };
}
