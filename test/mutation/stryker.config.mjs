/**
 * Stryker changes one thing after the other in every rule, and the tests of the rule have to fail each time. Less than 90 % of
 * the changes noticed fail the run. `mutate.ts` explains those that are not.
 */
export default {
  mutate: ['libs/domain/src/*.ts', '{services,simulators}/*/src/**/*.rules.ts', '!**/*.test.ts'],
  testRunner: 'jest',
  plugins: ['@stryker-mutator/jest-runner'],
  testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
  jest: { configFile: 'test/mutation/jest.config.mjs' },
  coverageAnalysis: 'perTest',
  thresholds: { high: 100, low: 95, break: 90 },
  reporters: ['clear-text', 'json'],
  jsonReporter: { fileName: '.stack/mutation.json' },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  concurrency: 2,
  // Besides one and a half of the time that the tests take unchanged. A busy machine must not pass for a test that noticed.
  timeoutMS: 30_000,
  // What the copy has: the rules, and what they and their tests import. Jest looks through all of it for the tests of each changed
  // file, so less is several times quicker. tsconfig.json is not there, because Stryker would read it by an API that TypeScript 7 does
  // not have.
  ignorePatterns: [
    '**',
    '!*.mjs',
    '!package.json',
    '!{libs/domain,services/*,simulators/*}/package.json',
    '!test/mutation/*.mjs',
    '!libs/domain/src/*.ts',
    '!{services,simulators}/*/src/**/*.ts',
    '{services,simulators}/*/src/**/*.test.ts',
    '!{services,simulators}/*/src/**/*.rules.test.ts',
  ],
  allowEmpty: false,
};
