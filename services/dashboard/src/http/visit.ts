import { holdsCardData } from '@cobro/contracts/card-data.ts';
import type { Language } from '@cobro/html/language.ts';

/** Path parameters by name. */
export type Fields = Readonly<Record<string, string | undefined>>;

/** A request of a browser, signed in or not. */
export interface Visit {
  /** Path and query of the page to come back to; for a form, the page that showed it. */
  address: string;
  isPost: boolean;
  params: Fields;
  query: URLSearchParams;
  /** The form of a POST, whose form token and origin have been checked. */
  form: URLSearchParams;
  requestId: string;
  /** The browser's IP address, and the network that it stands for. */
  from: string;
  network: string;
  userAgent: string;
  /** The browser's language, unless the person has chosen one. */
  language: Language;
  /** Aborted once the browser has its answer, or is gone. */
  left: AbortSignal;
  /** The page's script asked, not a person, so it keeps no session alive. */
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
  /** Instead of `html`: a body that is sent while it is made. */
  parts?: AsyncIterable<string>;
  /** `Set-Cookie` headers. */
  cookies?: readonly string[];
}

export const redirect = (to: string, ...cookies: string[]): Answer => ({
  status: 303,
  headers: { Location: to, 'Cache-Control': 'no-store' },
  cookies,
});

/** The first value of a field, trimmed; empty if it was not sent. */
export const field = (form: URLSearchParams, name: string): string => (form.get(name) ?? '').trim();

/** The address of a page with all of its filters is shorter; a longer one is not carried along. */
const MOST_CHARACTERS = 500;

/**
 * An address of our origin to go on to, else the home page. No path of ours has a `%`, so an address that was encoded twice leads to the
 * home page, not to a 404.
 */
export const innerAddress = (address: string | null): string =>
  address !== null &&
  address.length <= MOST_CHARACTERS &&
  /^\/(?![/\\])[\w\-./~]*(?:\?[\w\-./~%?=&+*]*)?$/.test(address)
    ? withoutCardData(address)
    : '/';

/**
 * A path with its query, for links and forms. A query that looks like a card number, or cannot be decoded, is dropped; such a path
 * becomes the home page. An export without its filters would hold everything, so it becomes its list.
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
