import { describe, expect, test } from '@jest/globals';
import { type FileResult, flakyFiles } from './flaky-files.ts';

const failed = (name: string, ...failureMessages: string[]): FileResult => ({
  name,
  status: 'failed',
  message: '',
  assertionResults: [
    { status: 'passed', failureMessages: [] },
    { status: 'failed', failureMessages },
  ],
});
const late = 'Error: not within 60000 ms: holds knows it\n    at until (until.ts:6:32)';
const wrong = 'Error: \u001B[2mexpect(\u001B[22m\u001B[31mreceived\u001B[39m\u001B[2m).\u001B[22mtoBe(expected)';

describe('a failed file runs once more', () => {
  test.each([
    ['a wait that ended', late],
    ['a test that took too long', 'thrown: "Exceeded timeout of 300000 ms for a test."'],
    ['a process that did not come up', 'Error: services/holds/src/main.ts did not start: '],
    ['a browser that went away', 'locator.click: Target page, context or browser has been closed'],
    ['a page that did not come', 'TimeoutError: locator.click: Timeout 30000ms exceeded.'],
  ])('for %s', (_, failure) => {
    expect(flakyFiles([failed('test/e2e/a.test.ts', failure)])).toEqual([
      { name: 'test/e2e/a.test.ts', firstFailure: failure.split('\n')[0]?.trim() },
    ]);
  });

  test('when its set-up did not start a process, before it had a test', () => {
    const message = '  ● Test suite failed to run\n\n    services/holds/src/main.ts did not start: ';
    const results = [{ name: 'a.test.ts', status: 'failed', message, assertionResults: [] }];
    expect(flakyFiles(results)).toEqual([{ name: 'a.test.ts', firstFailure: '● Test suite failed to run' }]);
  });
});

describe('nothing runs again', () => {
  test.each([
    ['for a failed assertion', [failed('a.test.ts', wrong)]],
    ['for a failed assertion beside a wait', [failed('a.test.ts', late, wrong)]],
    ['for a failed assertion in another file', [failed('a.test.ts', late), failed('b.test.ts', wrong)]],
    ['for more than two files', ['a', 'b', 'c'].map((name) => failed(`${name}.test.ts`, late))],
    ['for books that do not agree', [failed('a.test.ts', 'Error: no agreement within 60000 ms:')]],
    ['for a test of crashes', [failed('test/crash/a.test.ts', late)]],
    ['for a test of the model', [failed('test/model/a.test.ts', late)]],
    ['for a test of sick servers', [failed('libs/events/src/sick-database.test.ts', late)]],
    ['for a test of races', [failed('services/holds/src/hold-races.test.ts', late)]],
  ])('%s', (_, results) => {
    expect(flakyFiles(results)).toEqual([]);
  });

  test('for what has passed', () => {
    expect(flakyFiles([{ ...failed('a.test.ts', late), status: 'passed' }])).toEqual([]);
  });
});
