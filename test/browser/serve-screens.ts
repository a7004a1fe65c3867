import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readDashboardAssets } from '@cobro/dashboard/assets.ts';
import type { Screen } from '@cobro/dashboard/samples/payment-screens.ts';
import { documentOf } from '@cobro/dashboard/shell/document.ts';

export interface ServedScreens {
  url: string;
  /** What any GET but of an asset shows from now on. */
  screen: Screen;
  /** The forms that came in, in order, with where they were sent. Each is answered after a moment, by a 303 to this page. */
  posts: { path: string; form: URLSearchParams }[];
  /** How often pages have asked for a page by themselves. */
  looks: number;
  /** How many requests wait for news. */
  waiting(): number;
  /** Answers all that wait. */
  tell(news: readonly { type: string; id: string }[]): void;
  close(): Promise<void>;
}

/** Shows screens as services/dashboard does, without anything behind them. */
export async function serveScreens(screen: Screen): Promise<ServedScreens> {
  const assets = readDashboardAssets();
  const server = createServer((request, response) => void answer(request, response));
  const waiting = new Set<ServerResponse>();
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', served.url);
    if (pathname === '/news') {
      if (!searchParams.has('after')) return void response.end(JSON.stringify({ news: [], after: '1' }));
      response.once('close', () => waiting.delete(response));
      return void waiting.add(response);
    }
    const asset = assets.files.get(pathname.replace('/assets/', ''));
    if (asset) return void response.writeHead(200, asset.headers).end(asset.body);
    if (request.method === 'POST') {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      served.posts.push({ path: pathname, form: new URLSearchParams(body) });
      return void setTimeout(() => response.writeHead(303, { Location: '/posted' }).end(), 300);
    }
    if (request.headers['x-poll'] !== undefined) served.looks += 1;
    const { status, headers, html } = documentOf(served.screen.frame, served.screen.content, assets);
    response.writeHead(status, headers).end(html);
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const served: ServedScreens = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    screen,
    posts: [],
    looks: 0,
    waiting: () => waiting.size,
    tell: (news) => waiting.forEach((response) => response.end(JSON.stringify({ news, after: '2' }))),
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return served;
}
