import { holdsCardData } from '@cobro/contracts/card-data.ts';
import type { Language } from '@cobro/html/language.ts';

/** What was sent with a request. A field that was sent twice is not taken. */
export type Fields = Readonly<Record<string, string | undefined>>;

/** A request of a browser, whoever is there. */
export interface Visit {
  /** Path and query of a page to come back to: of a form the page on which it stood. */
  address: string;
  isPost: boolean;
  params: Fields;
  query: URLSearchParams;
  /** Of a POST whose form token and origin have been checked. */
  form: URLSearchParams;
  requestId: string;
  /** The IP address of the browser, and the network that it stands for. */
  from: string;
  network: string;
  userAgent: string;
  /** What the browser likes to read. A person's own choice goes before it. */
  language: Language;
  /** Aborted once the browser has its answer, or is gone. */
  left: AbortSignal;
  /** Asked by the page itself and not by a person, so that it keeps no session alive. */
  isPoll: boolean;
  sessionToken: string | undefined;
  deviceCookie: string | undefined;
  /** What every form of the answer has to carry. */
  formToken: string;
}

export interface Answer {
  status: number;
  headers?: Readonly<Record<string, string>>;
  /** The body: a page, or JSON for the script of a page. */
  html?: string;
  /** In the place of a page: what is sent while it is made. */
  parts?: AsyncIterable<string>;
  /** `Set-Cookie` headers. */
  cookies?: readonly string[];
}

export const redirect = (to: string, ...cookies: string[]): Answer => ({
  status: 303,
  headers: { Location: to, 'Cache-Control': 'no-store' },
  cookies,
});

/** The first value of a field, without blanks around it; empty where it was not sent. */
export const field = (form: URLSearchParams, name: string): string => (form.get(name) ?? '').trim();

/** A page with all of its filters is shorter. What is longer would be kept with whoever goes on to it. */
const MOST_CHARACTERS = 500;

/**
 * An address of ours to go on to, or the home page: never another origin's. No path of ours has a `%`, so an address that was encoded twice
 * leads to the home page, and not to a page that is not there.
 */
export const innerAddress = (address: string | null): string =>
  address !== null &&
  address.length <= MOST_CHARACTERS &&
  /^\/(?![/\\])[\w\-./~]*(?:\?[\w\-./~%?=&+*]*)?$/.test(address)
    ? withoutCardData(address)
    : '/';

/**
 * A path with its query, for links and forms: without the query, or the home page, where that looks like a card number, or cannot be
 * decoded and so may hold one. Without its filters a file would have everything, so it becomes its list.
 */
export function withoutCardData(address: string): string {
  const [path = '/'] = address.split('?', 1);
  if (!mayHoldCardData(address)) return address;
  return mayHoldCardData(path) ? '/' : path.replace(/\.csv$/, '');
}

function mayHoldCardData(address: string): boolean {
  try {
    return holdsCardData(decodeURIComponent(address.replaceAll('+', ' ')));
  } catch {
    return true;
  }
}
