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

  handleTestEvent({ name, test, hookType, asyncError }, state) {
    // A group has the tests of many files.
    if (name === 'test_start') this.#file = fileOf(test.asyncError) ?? this.#file
    if (name === 'run_finish') {
      const misplaced = this.#machine.firstCall()
      if (misplaced !== null) state.unhandledErrors.push(misplaced)
    }
    // Jest adds a hook before it loads the file.
    if (name === 'add_hook' && isOutside(state) && asyncError.stack.includes('.test.ts')) {
      // Its stack names the file.
      asyncError.message = `${hookType} is outside of a describe, so it would concern the other files of the group. Move it into a describe.`
      state.unhandledErrors.push(asyncError)
    }
  }

  async teardown() {
    // A worker also runs files of other projects.
    this.#machine.restore()
    await super.teardown()
  }
}

const isOutside = ({ currentDescribeBlock, rootDescribeBlock }) =>
  currentDescribeBlock === rootDescribeBlock

const fileOf = ({ stack }) => /tests\/(?:contracts|domain)\/[^:]+\.test\.ts/.exec(stack)?.[0]
