import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export type TestIssuer = Awaited<ReturnType<typeof startIssuer>>;

export const CLIENT_SECRET = 'un secreto de cliente que nadie debe ver';

/** For tests: a real issuer in a process of its own, which believes every name. */
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
    /** Goes where the dashboard sent the browser, types a name there, and gives the path with which the browser comes back. */
    comeBackAs: async (location: string | null, login: string) => {
      const cookies = new Map<string, string>();
      const send = async (address: string, body?: string) => {
        const headers = {
          cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
          ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
        };
        const answer = await fetch(address, {
          redirect: 'manual',
          headers,
          ...(body !== undefined && { method: 'POST', body }),
        });
        for (const line of answer.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
          cookies.set(name, value);
        }
        return answer;
      };
      let answer = await send(location ?? '');
      for (let hops = 0; hops < 10; hops++) {
        const next = answer.headers.get('location');
        if (next?.startsWith(redirectsTo)) return next.slice(new URL(redirectsTo).origin.length);
        if (next !== null) {
          answer = await send(new URL(next, url).href);
          continue;
        }
        const page = await answer.text();
        const [, action] = /<form[^>]* action="([^"]+)"/.exec(page) ?? [];
        if (action === undefined) throw new Error(`no form: ${answer.status} ${page.slice(0, 500)}`);
        const fields = new URLSearchParams({ prompt: 'login', login, password: 'any' });
        answer = await send(new URL(action, url).href, fields.toString());
      }
      throw new Error('the issuer does not come to an end');
    },
    stop: () => void running.kill(),
  };
}
