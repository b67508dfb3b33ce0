/**
 * Two projects, by where the code under test runs. Start jest with
 * `node --experimental-vm-modules` (npm run jest does): tests are native ES modules.
 */

const swc = {
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', tsx: true },
    transform: { react: { runtime: 'automatic' } },
    experimental: { keepImportAttributes: true },
  },
  module: { type: 'es6' },
  sourceMaps: 'inline',
  swcrc: false,
}

const full = process.env.FULL_TESTS === '1'

const shared = {
  rootDir: import.meta.dirname,
  transform: { '\\.tsx?$': ['@swc/jest', swc] },
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  modulePathIgnorePatterns: ['<rootDir>/dist'],
  testPathIgnorePatterns: ['/node_modules/', ...(full ? [] : ['\\.full\\.test\\.tsx?$'])],
}

export default {
  // One worker a core: the default leaves one core idle, which on two cores is half of them.
  maxWorkers: '100%',
  // Modules of native ESM are not collected within a worker, so it is replaced when it has grown.
  workerIdleMemoryLimit: '1GB',
  testTimeout: 20_000,
  projects: [
    {
      ...shared,
      displayName: 'node',
      testEnvironment: 'node',
      testMatch: [
        '<rootDir>/tests/{domain,contracts,integration,end-to-end,performance}/**/*.test.ts',
      ],
      globalSetup: '<rootDir>/tests/support/jest/global-setup.mjs',
      globalTeardown: '<rootDir>/tests/support/jest/global-teardown.mjs',
    },
    {
      ...shared,
      displayName: 'browser',
      testEnvironment: '<rootDir>/tests/support/jest/browser-environment.mjs',
      // msw/node and the like; the condition `browser`, jsdom's own choice, hides them.
      testEnvironmentOptions: {
        customExportConditions: ['node', 'node-addons'],
        url: 'http://localhost/',
      },
      testMatch: ['<rootDir>/tests/web/**/*.test.{ts,tsx}'],
      setupFilesAfterEnv: ['<rootDir>/tests/support/jest/browser-setup.ts'],
      // What vite makes of such an import means nothing without a layout.
      moduleNameMapper: {
        '\\.(css|svg|png|webp|woff2)(\\?\\w+)?$': '<rootDir>/tests/support/jest/asset-stub.mjs',
      },
    },
  ],
}
