import { expect, test } from '@jest/globals';
import { licencesPage, unwantedPackages } from './licences-page.ts';

const good = { version: '1.0.0', license: 'MIT' };
const lock = (packages: Record<string, object>) => ({ packages });

test('a package in production with another licence, with none, or with a script for its installation is not wanted', () => {
  const unwanted = unwantedPackages(
    lock({
      'node_modules/good': good,
      'node_modules/@a/copyleft': { ...good, license: 'GPL-3.0' },
      'node_modules/good/node_modules/silent': { version: '2.0.0' },
      'node_modules/busy': { ...good, hasInstallScript: true },
      'node_modules/protobufjs': { ...good, hasInstallScript: true },
    }),
  );
  expect(unwanted).toEqual([
    expect.stringMatching(/^@a\/copyleft 1\.0\.0 has the licence GPL-3\.0/),
    expect.stringMatching(/^silent 2\.0\.0 has the licence that it does not name/),
    expect.stringMatching(/^busy 1\.0\.0 wants to run a script/),
  ]);
});

test('what is for development, for one platform, or our own does not count', () => {
  const none = lock({
    '': { license: 'Apache-2.0' },
    'libs/bank': {},
    'node_modules/@cobro/bank': { link: true },
    'node_modules/tool': { dev: true, license: 'GPL-3.0', hasInstallScript: true },
    'node_modules/for-mac': { optional: true },
  });
  expect(unwantedPackages(none)).toEqual([]);
  expect(licencesPage(none)).toContain('the 0 packages');
});
