import { TestEnvironment } from 'jest-environment-node'
import { trackAsyncStorages } from './async-storages.mjs'
import { handInState } from './file-blocks.mjs'

/** The environment of the tests with a server, and the base of those without one. */
export default class NodeEnvironment extends TestEnvironment {
  #disableStorages = trackAsyncStorages()

  handleTestEvent(event, state) {
    handInState(this.global, event, state)
  }

  async teardown() {
    this.#disableStorages()
    await super.teardown()
  }
}
