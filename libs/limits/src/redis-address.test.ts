import { describe, expect, test } from '@jest/globals';
import { readRedisAddress } from './redis-address.ts';

describe('the address of Redis', () => {
  test('of one server stays as it is', () => {
    for (const url of ['redis://r', 'rediss://user:p%40ss@r.example:6380/2', 'redis://[::1]:6379/0']) {
      expect(readRedisAddress(url)).toEqual({ mode: 'single', url });
    }
  });

  test('of a cluster names one server or several', () => {
    expect(readRedisAddress('rediss://user:p%40ss:w@a.example:7000,b.example,[::1]:7002?mode=cluster')).toEqual({
      mode: 'cluster',
      hosts: [
        { host: 'a.example', port: 7000 },
        { host: 'b.example', port: 6379 },
        { host: '::1', port: 7002 },
      ],
      username: 'user',
      password: 'p@ss:w',
      tls: true,
    });
    expect(readRedisAddress('redis://:secret@a?mode=cluster')).toMatchObject({
      username: undefined,
      password: 'secret',
    });
  });

  test('of sentinels names the server that they watch', () => {
    expect(readRedisAddress('redis://a,b:26380/3?mode=sentinel&master=shop&sentinelPassword=s%26x')).toEqual({
      mode: 'sentinel',
      hosts: [
        { host: 'a', port: 26_379 },
        { host: 'b', port: 26_380 },
      ],
      username: undefined,
      password: undefined,
      tls: false,
      master: 'shop',
      sentinelPassword: 's&x',
      database: 3,
    });
  });

  test.each([
    '',
    'http://r:6379',
    'r:6379',
    'redis://r:6379/name',
    'redis://a:6379,b:6379',
    'redis://a:port',
    'redis://a:6379?mode=single',
    'redis://a:6379?cluster=true',
    'redis://a:6379/1?mode=cluster',
    'redis://a:6379?mode=cluster&master=shop',
    'redis://a:6379,,b:6379?mode=cluster',
    'redis://a:26379?mode=sentinel',
    'redis://a:26379?mode=sentinel&master=',
    'redis://a:26379?mode=sentinel&master=shop&other=1',
    'redis://%E0%A4%A@a:6379?mode=cluster',
  ])('is not %j', (text) => expect(readRedisAddress(text)).toBeUndefined());
});
