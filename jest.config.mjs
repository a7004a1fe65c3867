export default {
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/jest.strip.mjs' },
  modulePathIgnorePatterns: ['<rootDir>/.stack/'],
  testSequencer: '<rootDir>/jest.sequencer.mjs',
  injectGlobals: false,
  testTimeout: 300_000,
  // A worker whose files have left nothing open ends in some milliseconds, but on a busy machine these take longer than jest's half a second.
  workerGracefulExitTimeout: 10_000,
  coverageProvider: 'v8',
};
