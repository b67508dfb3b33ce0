import { ChildProcess } from 'node:child_process'
import { Server, Socket } from 'node:net'

/** The methods that a unit test may not call, and what each method does. */
const refused = [
  { object: Socket.prototype, method: 'connect', does: 'connects to a server' },
  { object: Server.prototype, method: 'listen', does: 'opens a server' },
  { object: ChildProcess.prototype, method: 'spawn', does: 'starts a process' },
]

/**
 * Until `restore`, a call that leaves this process throws an error that names `file()`, the file of
 * the running test. `firstCall` returns that error, also if the tested code has handled it. It
 * returns null without such a call.
 */
export function refuseMachine(file) {
  let first = null
  const originals = refused.map(({ object, method, does }) => {
    const original = object[method]
    object[method] = () => {
      const error = new Error(
        `${file()} ${does}, but the tests of its folder need nothing. Inject what the tested code calls, or move the test to tests/integration.`,
      )
      first ??= error
      throw error
    }
    return { object, method, original }
  })
  return {
    firstCall: () => first,
    restore() {
      for (const { object, method, original } of originals) object[method] = original
    },
  }
}
