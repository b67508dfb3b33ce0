import { relative } from 'node:path'
import NodeEnvironment from './node-environment.mjs'
import { refuseMachine } from './refuse-machine.mjs'

/** The environment of the project `unit`: a file that uses a server or a process fails. */
export default class UnitEnvironment extends NodeEnvironment {
  #file
  #machine = null

  constructor(config, context) {
    super(config, context)
    this.#file = relative(config.projectConfig.rootDir, context.testPath)
  }

  async setup() {
    await super.setup()
    // The set-up of another project in the same run sets it.
    delete this.global.process.env.TEST_POSTGRES_URL
    this.#machine = refuseMachine(() => this.#file)
  }

  handleTestEvent(event, state) {
    super.handleTestEvent(event, state)
    const { name, test } = event
    // A group has the tests of many files.
    if (name === 'test_start') this.#file = fileOf(test.asyncError) ?? this.#file
    if (name === 'run_finish') {
      const misplaced = this.#machine.firstCall()
      if (misplaced !== null) state.unhandledErrors.push(misplaced)
    }
  }

  async teardown() {
    // A worker also runs files of other projects.
    this.#machine.restore()
    await super.teardown()
  }
}

const fileOf = ({ stack }) => /tests\/(?:contracts|domain)\/[^:]+\.test\.ts/.exec(stack)?.[0]
