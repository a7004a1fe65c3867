import { describe, expect, test } from '@jest/globals';
import { routeFinder } from './path-tree.ts';
import { mainRoutes, partnerRoutes } from './outside-routes.ts';

const find = routeFinder(mainRoutes);
const ID = '0197a5a0-0000-7000-8000-000000000001';

describe('the route of a request', () => {
  test.each([...mainRoutes, ...partnerRoutes])('$method $path is its own', (route) => {
    const finder = route.who === 'partner' ? routeFinder(partnerRoutes) : find;
    const path = route.path.replaceAll(/:\w+/g, ID);
    expect(finder(route.method, path)).toEqual({ kind: 'route', route });
  });

  test('of HEAD is that of GET', () => {
    expect(find('HEAD', '/api/payment-method')).toMatchObject({ kind: 'route', route: { method: 'GET' } });
  });

  test('of an id may have any id: the service says what is wrong with it', () => {
    for (const id of ['1', '..', '%2e%2e', '%00', "a'b", '*', 'capture', '%E0%A4%A']) {
      expect(find('GET', `/api/payment-method/${id}`)).toMatchObject({ kind: 'route' });
    }
  });

  test.each([
    '/',
    '',
    '*',
    '/api',
    '/api/',
    '/payment-method',
    '/internal/events',
    '/api/internal/events',
    '/health/live',
    '/api/payment-method/',
    '/api//payment-method',
    '/api/payment-method//payment',
    '/api/Payment-Method',
    '/api/payment%2Dmethod',
    `/api/payment-method/${ID}/payment/${ID}/capture/now`,
    `/api/payment-method/${ID}/../${ID}/payment`,
    '/api/developer/payment',
    '/checkout',
    '/api/checkout/1',
    'http://127.0.0.1/api/payment-method',
    '/api/constructor',
    '/api/__proto__',
  ])('there is none for %j', (path) => {
    expect(find('GET', path)).toEqual({ kind: 'unknown' });
  });

  // Express would end the path at the first, and take the second for a slash.
  test.each(['#', '\\', '\u00a0', '"', '<', '|', '^', '`', '{', '\u00f1'])(
    'there is none with %j in an id',
    (character) => {
      expect(find('GET', `/api/payment-method/1${character}2`)).toEqual({ kind: 'unknown' });
    },
  );

  test.each([
    ['PUT', '/api/payment-method', 'POST, GET, HEAD'],
    ['POST', `/api/payment-method/${ID}`, 'GET, HEAD, DELETE'],
    ['GET', `/api/payment-method/${ID}/payment/${ID}/capture`, 'POST'],
    ['OPTIONS', '/api/payment-intent', 'POST, GET, HEAD'],
    ['constructor', '/api/payment-intent', 'POST, GET, HEAD'],
  ])('%s is the wrong method for %s', (method, path, allow) => {
    const match = find(method, path);
    expect(match.kind === 'wrong method' && match.allow.join(', ')).toBe(allow);
  });
});
