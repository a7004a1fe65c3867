import type { IncomingMessage, ServerResponse } from 'node:http';
import { readDashboardAssets } from '@cobro/dashboard/assets.ts';
import type { Screen } from '@cobro/dashboard/samples/payment-screens.ts';
import { documentOf } from '@cobro/dashboard/shell/document.ts';
import { formOf, serve } from './serve.ts';

export interface ServedScreens {
  url: string;
  /** The screen that every GET except of an asset shows from now on. */
  screen: Screen;
  /** The received forms, in order, with their paths. Each is answered after a moment by a 303 to `/posted`. */
  posts: { path: string; form: URLSearchParams }[];
  /** How many times pages have polled. */
  looks: number;
  /** How many requests wait for news. */
  waiting(): number;
  /** Answers all waiting requests. */
  tell(news: readonly { type: string; id: string }[]): void;
  close(): Promise<void>;
}

/** Serves screens like services/dashboard, without anything behind them. */
export async function serveScreens(screen: Screen): Promise<ServedScreens> {
  const assets = readDashboardAssets();
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
      served.posts.push({ path: pathname, form: await formOf(request) });
      return void setTimeout(() => response.writeHead(303, { Location: '/posted' }).end(), 300);
    }
    if (request.headers['x-poll'] !== undefined) served.looks += 1;
    const { status, headers, html } = documentOf(served.screen.frame, served.screen.content, assets);
    response.writeHead(status, headers).end(html);
  }
  const served: ServedScreens = {
    ...(await serve(answer)),
    screen,
    posts: [],
    looks: 0,
    waiting: () => waiting.size,
    tell: (news) => waiting.forEach((response) => response.end(JSON.stringify({ news, after: '2' }))),
  };
  return served;
}
