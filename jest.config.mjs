export default {
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/jest.strip.mjs' },
  modulePathIgnorePatterns: ['<rootDir>/.stack/'],
  testSequencer: '<rootDir>/jest.sequencer.mjs',
  injectGlobals: false,
  testTimeout: 300_000,
  coverageProvider: 'v8',
};
