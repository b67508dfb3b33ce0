import { TestEnvironment } from 'jest-environment-node'
import { trackAsyncStorages } from './async-storages.mjs'

/** The environment of the tests with a server, and the base of those without one. */
export default class NodeEnvironment extends TestEnvironment {
  #disableStorages = trackAsyncStorages()

  async teardown() {
    this.#disableStorages()
    await super.teardown()
  }
}
