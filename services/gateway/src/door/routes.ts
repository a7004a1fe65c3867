/** Whose key a route takes. `public` takes none. A terminal's comes as x-terminal-key, the others' as x-api-key. */
export type Who = 'merchant' | 'partner' | 'public' | 'terminal';
export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
export type Service = 'payments' | 'holds' | 'intents' | 'reporting';

export interface Route {
  method: Method;
  /** Template of the whole path; a service knows it without `/api`. */
  path: string;
  who: Who;
  service: Service;
  /** False where the service does not serve it yet: 501 after the key check. */
  served: boolean;
}

type Row = [method: Method, path: string, who: Who, service: Service];
const route = (...[method, path, who, service]: Row): Route => ({ method, path, who, service, served: true });
const planned = (...row: Row): Route => ({ ...route(...row), served: false });

/** The main API and the hosted checkout. */
export const mainRoutes: readonly Route[] = [
  route('POST', '/api/payment-method', 'merchant', 'payments'),
  route('GET', '/api/payment-method', 'merchant', 'payments'),
  route('GET', '/api/payment-method/:id', 'merchant', 'payments'),
  route('DELETE', '/api/payment-method/:id', 'merchant', 'payments'),
  route('POST', '/api/payment-method/:id/payment', 'merchant', 'payments'),
  route('GET', '/api/payment-method/:id/payment', 'merchant', 'payments'),
  route('GET', '/api/payment-method/:id/payment/:paymentId', 'merchant', 'payments'),
  route('POST', '/api/payment-method/:id/payment/:paymentId/refund', 'merchant', 'payments'),
  route('POST', '/api/payment-method/:id/payment/:paymentId/capture', 'merchant', 'holds'),
  route('POST', '/api/payment-method/:id/payment/:paymentId/release', 'merchant', 'holds'),

  planned('POST', '/api/one-time-payment', 'merchant', 'payments'),
  planned('GET', '/api/one-time-payment', 'merchant', 'payments'),
  planned('GET', '/api/one-time-payment/:id', 'public', 'payments'),
  planned('PATCH', '/api/one-time-payment/:id/cancel', 'merchant', 'payments'),
  planned('POST', '/api/one-time-payment/:id/payment', 'public', 'payments'),
  planned('POST', '/api/one-time-payment/:id/refund', 'merchant', 'payments'),
  planned('GET', '/checkout/:id', 'public', 'payments'),
  planned('POST', '/checkout/:id', 'public', 'payments'),

  route('POST', '/api/payment-intent', 'merchant', 'intents'),
  route('GET', '/api/payment-intent/:id', 'merchant', 'intents'),
  route('POST', '/api/payment-intent/:id/cancel', 'merchant', 'intents'),
  planned('POST', '/api/payment-intent/:id/refund', 'merchant', 'payments'),
  route('GET', '/api/terminal/v1/payment-intent/next', 'terminal', 'intents'),
  route('POST', '/api/terminal/v1/payment-intent/:id/payment', 'terminal', 'intents'),
  route('POST', '/api/terminal/v1/payment-intent/:id/decline', 'terminal', 'intents'),

  route('GET', '/api/developer/v1/payment', 'merchant', 'reporting'),
  route('GET', '/api/developer/v1/payment/:id', 'merchant', 'reporting'),
];

/** The partner API, on a listener of its own. */
export const partnerRoutes: readonly Route[] = [route('GET', '/api/developer/payment', 'partner', 'reporting')];
