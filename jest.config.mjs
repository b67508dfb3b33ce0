import { availableParallelism } from 'node:os'
import { testFilesOf } from './scripts/test/groups.mjs'

/**
 * Four projects, by what their tests need. The folder of a test decides its project
 * (docs/testing.md). Tests are native ES modules, so jest needs `node --experimental-vm-modules`,
 * as in `npm run jest`.
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

/** In a run of all tests, a few groups import the files. */
const testMatch = (project) => testFilesOf(project).map((file) => `<rootDir>/${file}`)

const seededProperties = {
  '^fast-check$': '<rootDir>/tests/support/jest/seeded-fast-check.mjs',
}

const shared = {
  rootDir: import.meta.dirname,
  moduleNameMapper: seededProperties,
  transform: { '\\.tsx?$': ['@swc/jest', swc] },
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  modulePathIgnorePatterns: ['<rootDir>/dist'],
  testPathIgnorePatterns: ['/node_modules/', ...(full ? [] : ['\\.full\\.test\\.tsx?$'])],
}

/** Starts one PostgreSQL, only if a test file of such a project runs. */
const withTestServer = {
  testEnvironment: '<rootDir>/tests/support/jest/node-environment.mjs',
  globalSetup: '<rootDir>/tests/support/jest/global-setup.mjs',
  globalTeardown: '<rootDir>/tests/support/jest/global-teardown.mjs',
}

export default {
  // The tests of a product, a browser or a lease wait about half of their time. So three workers
  // share two cores: with one worker per core, the cores idle a third of the time.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
  // A worker does not free its ES modules, so jest replaces a worker above this size.
  workerIdleMemoryLimit: '1GB',
  testTimeout: 20_000,
  testSequencer: '<rootDir>/tests/support/jest/slow-files-first.mjs',
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testEnvironment: '<rootDir>/tests/support/jest/unit-environment.mjs',
      testMatch: testMatch('unit'),
    },
    {
      ...shared,
      ...withTestServer,
      displayName: 'database',
      testMatch: testMatch('database'),
    },
    {
      ...shared,
      ...withTestServer,
      displayName: 'product',
      testMatch: ['<rootDir>/tests/end-to-end/**/*.test.ts'],
    },
    {
      ...shared,
      displayName: 'web',
      testEnvironment: '<rootDir>/tests/support/jest/browser-environment.mjs',
      // jsdom's default condition `browser` hides modules such as msw/node.
      testEnvironmentOptions: {
        customExportConditions: ['node', 'node-addons'],
        url: 'http://localhost/',
      },
      testMatch: testMatch('web'),
      setupFiles: ['<rootDir>/tests/support/jest/no-owner-stacks.mjs'],
      setupFilesAfterEnv: ['<rootDir>/tests/support/jest/browser-setup.ts'],
      // jsdom has no layout, so tests do not need the files of these imports.
      moduleNameMapper: {
        ...seededProperties,
        '\\.(css|svg|png|webp|avif|woff2)(\\?\\w+)?$':
          '<rootDir>/tests/support/jest/asset-stub.mjs',
      },
    },
  ],
}
