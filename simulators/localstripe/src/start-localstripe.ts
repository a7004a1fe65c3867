import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/**
 * localstripe on a port that it chooses and prints. It keeps nothing on disk, because writing takes longer with each object, and ends
 * with the process that started it.
 */
const PROGRAM = `
import os, socket, sys, threading
from aiohttp import web
from localstripe import resources, server
resources.Store.dump_to_disk = lambda store: None
threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
print(listener.getsockname()[1], flush=True)
web.run_app(server.app, sock=listener, access_log=None, print=None)
`;

export interface Localstripe {
  url: string;
  kill(): Promise<void>;
}

/** @param python from `findLocalstripe` */
export async function startLocalstripe(python: string): Promise<Localstripe> {
  const child = spawn(python, ['-c', PROGRAM], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const [port] = (await Promise.race([
    once(createInterface(child.stdout), 'line'),
    exited.then(() => [undefined]),
  ])) as [string | undefined];
  if (port === undefined) throw new Error('localstripe did not start');
  return {
    url: `http://127.0.0.1:${port}`,
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
