import { afterEach, beforeEach } from '@jest/globals'
import { startProjectionFixture, type ProjectionFixture } from './projection-fixture.ts'

/**
 * Gives each test of the enclosing `describe` or file a new fixture, and ends the fixture after the
 * test. The returned object always refers to the fixture of the current test.
 */
export function projectionFixturePerTest(): ProjectionFixture {
  let current: ProjectionFixture
  beforeEach(async () => {
    current = await startProjectionFixture()
  })
  afterEach(() => current.end())
  return {
    get db() {
      return current.db
    },
    get store() {
      return current.store
    },
    get engine() {
      return current.engine
    },
    start: (model, options) => current.start(model, options),
    startProcess: (options) => current.startProcess(options),
    append: (...events) => current.append(...events),
    projected: (models, position, timeoutMs) => current.projected(models, position, timeoutMs),
    statusOf: (model) => current.statusOf(model),
    isBuilt: (model) => current.isBuilt(model),
    rebuild: (model, options) => current.rebuild(model, options),
    verify: (model, options) => current.verify(model, options),
    skip: (model, eventId) => current.skip(model, eventId),
    parked: (model) => current.parked(model),
    retry: (model, stream) => current.retry(model, stream),
    skipParked: (model, stream, eventId) => current.skipParked(model, stream, eventId),
    beforeEnd: (work) => current.beforeEnd(work),
    end: () => current.end(),
  }
}
