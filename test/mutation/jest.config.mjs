import config from '../../jest.config.mjs';

/** The tests of what Stryker changes. None of them needs a server. */
export default {
  ...config,
  rootDir: '../..',
  testMatch: ['<rootDir>/libs/domain/src/*.test.ts', '<rootDir>/{services,simulators}/*/src/**/*.rules.test.ts'],
};
