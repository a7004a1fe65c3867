import type { RouteContract } from '@cobro/contracts/route.ts';
import type { Stack } from '../../dev/stack/stack.ts';
import { type Answer, type Client, sendTo } from './client.ts';

/** What a route is sent to be served: about records of one merchant, by that merchant. */
export interface RouteExample {
  /** What stands in the path in the place of each parameter. */
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  /** Sent as JSON; text is the form of a page. */
  body?: unknown;
  /** The terminal's key, on the routes of terminals. */
  terminalKey?: string;
  /** Records that the answer shows although the request does not name them. */
  shows?: readonly string[];
  /** The answer names no record: it has sums alone, or there is nothing of that kind yet. */
  showsNone?: true;
}

/** The records that the example names: ids and serial numbers. */
export function recordsIn({ params = {}, query = {}, body }: RouteExample): string[] {
  const { terminalCode = '' } = (typeof body === 'object' ? body : {}) as { terminalCode?: string };
  return [...Object.values(params), ...Object.values(query), terminalCode].filter((text) => /[\da-f-]{36}$/.test(text));
}

/** Sends the example. `address` is the contract's path, with its parameters, behind an origin. */
export function sendExample(
  address: string,
  contract: RouteContract,
  { params = {}, query = {}, body }: RouteExample,
  headers: Record<string, string>,
): Promise<Answer<unknown>> {
  const path = address.replaceAll(/\/:(\w+)/g, (_, name: string) => `/${params[name]}`);
  const search = new URLSearchParams(query).toString();
  const isForm = contract.body !== undefined && 'form' in contract.body;
  return sendTo(path, undefined)(contract.method, search === '' ? '' : `?${search}`, {
    headers: { ...(isForm && { 'content-type': 'application/x-www-form-urlencoded' }), ...headers },
    ...(body !== undefined && { body }),
  });
}

/** A merchant, who makes the records of the examples. */
export interface Shop {
  stack: Stack;
  merchant: Client;
  organizationId: string;
}
