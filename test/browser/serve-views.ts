import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CheckoutAssets, readCheckoutAssets } from '@cobro/checkout/assets.ts';
import type { CheckoutView } from '@cobro/checkout/checkout-view.ts';
import { renderCheckout } from '@cobro/checkout/render-checkout.ts';

const ASSETS = '/checkout/assets/';

export interface ServedViews {
  url: string;
  /** What GET shows from now on. */
  view: CheckoutView;
  /** What POST answers from now on: a page, or where a 303 leads to. It may take its time. */
  onPost: () => CheckoutView | string | Promise<CheckoutView | string>;
  /** The forms that came in, in order. */
  posts: URLSearchParams[];
  /** How often a page was asked for. */
  gets: number;
  close(): Promise<void>;
}

/** Shows views as payments does through the gateway, at /checkout/{id}, without any of what is behind them. */
export async function serveViews(view: CheckoutView): Promise<ServedViews> {
  const assets = readCheckoutAssets();
  const server = createServer((request, response) => void answer(request, response, served, assets));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const served: ServedViews = {
    url: `http://127.0.0.1:${port}`,
    view,
    onPost: () => served.view,
    posts: [],
    gets: 0,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return served;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  served: ServedViews,
  assets: CheckoutAssets,
): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', served.url);
  const asset = pathname.startsWith(ASSETS) ? assets.files.get(pathname.slice(ASSETS.length)) : undefined;
  if (asset) return void response.writeHead(200, asset.headers).end(asset.body);
  if (!pathname.startsWith('/checkout/')) return void response.writeHead(404).end();
  if (request.method === 'GET') served.gets += 1;
  const outcome = request.method === 'POST' ? await received(request, served) : served.view;
  if (typeof outcome === 'string') return void response.writeHead(303, { Location: outcome }).end();
  const { status, headers, html } = renderCheckout(outcome, assets);
  response.writeHead(status, headers).end(html);
}

async function received(request: IncomingMessage, served: ServedViews): Promise<CheckoutView | string> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  served.posts.push(new URLSearchParams(body));
  return served.onPost();
}
