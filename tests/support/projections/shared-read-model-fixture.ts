import { afterAll, beforeAll } from '@jest/globals'
import { createReadModelFixture, type ReadModelFixture } from './read-model-fixture.ts'

/**
 * Gives all tests of the enclosing `describe` or file one fixture, and drops its database after the
 * last test.
 */
export function sharedReadModelFixture(): ReadModelFixture {
  let current: ReadModelFixture
  beforeAll(async () => {
    current = await createReadModelFixture()
  })
  afterAll(() => current.drop())
  return {
    get pool() {
      return current.pool
    },
    get projecting() {
      return current.projecting
    },
    given: (model, events, batchSize) => current.given(model, events, batchSize),
    drop: () => current.drop(),
  }
}
