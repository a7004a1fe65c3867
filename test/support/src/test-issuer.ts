import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { openBrowser } from './test-browser.ts';

export type TestIssuer = Awaited<ReturnType<typeof startIssuer>>;

export const CLIENT_SECRET = 'un secreto de cliente que nadie debe ver';

/** A real OIDC issuer in its own process. It lets anybody in under any name. */
export async function startIssuer(redirectsTo: string, email: string) {
  const program = fileURLToPath(new URL('../../issuer/run-issuer.mjs', import.meta.url));
  const env = { REDIRECTS_TO: redirectsTo, CLIENT_SECRET, ISSUER_EMAIL: email };
  const running = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const url = await new Promise<string>((resolve, reject) => {
    createInterface(running.stdout).once('line', resolve);
    running.once('exit', (code) => reject(new Error(`the issuer ended with ${code}`)));
  });
  return {
    url,
    /** Follows the dashboard's redirect, signs in with this name, and returns the path with which the browser comes back. */
    comeBackAs: async (location: string | null, login: string) => {
      const browser = openBrowser(url);
      let page = await browser.get(location ?? '');
      for (let hops = 0; hops < 10; hops++) {
        const next = page.location;
        if (next?.startsWith(redirectsTo)) return next.slice(new URL(redirectsTo).origin.length);
        if (next !== null) {
          page = await browser.get(next);
          continue;
        }
        const [, action] = /<form[^>]* action="([^"]+)"/.exec(page.html) ?? [];
        if (action === undefined) throw new Error(`no form: ${page.status} ${page.html.slice(0, 500)}`);
        page = await browser.post(action, { prompt: 'login', login, password: 'any' });
      }
      throw new Error('the issuer does not come to an end');
    },
    stop: () => void running.kill(),
  };
}
