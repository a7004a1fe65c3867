import type { IncomingMessage, ServerResponse } from 'node:http';
import { type CheckoutAssets, readCheckoutAssets } from '@cobro/checkout/assets.ts';
import type { CheckoutView } from '@cobro/checkout/checkout-view.ts';
import { renderCheckout } from '@cobro/checkout/render-checkout.ts';
import { formOf, serve } from './serve.ts';

const ASSETS = '/checkout/assets/';

export interface ServedViews {
  url: string;
  /** The view that GET shows from now on. */
  view: CheckoutView;
  /** Answers POST from now on: with a page, or the address for a 303. It may take time. */
  onPost: () => CheckoutView | string | Promise<CheckoutView | string>;
  /** The received forms, in order. */
  posts: URLSearchParams[];
  close(): Promise<void>;
}

/** Serves views like payments through the gateway, at /checkout/{id}, without anything behind them. */
export async function serveViews(view: CheckoutView): Promise<ServedViews> {
  const assets = readCheckoutAssets();
  const served: ServedViews = {
    ...(await serve((request, response) => answer(request, response, served, assets))),
    view,
    onPost: () => served.view,
    posts: [],
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
  const outcome = request.method === 'POST' ? await received(request, served) : served.view;
  if (typeof outcome === 'string') return void response.writeHead(303, { Location: outcome }).end();
  const { status, headers, html } = renderCheckout(outcome, assets);
  response.writeHead(status, headers).end(html);
}

async function received(request: IncomingMessage, served: ServedViews): Promise<CheckoutView | string> {
  served.posts.push(await formOf(request));
  return served.onPost();
}
