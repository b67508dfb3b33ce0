import { afterEach, describe, expect, it } from '@jest/globals'
import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import pg from 'pg'
import { refuseMachine } from '../support/jest/refuse-machine.mjs'

const file = 'tests/domain/users.test.ts'
let machine: ReturnType<typeof refuseMachine>

const rest =
  'but the tests of its folder need nothing. Inject what the tested code calls, or move the test to tests/integration.'

describe('a unit test', () => {
  afterEach(() => machine.restore())

  it.each([
    ['opens a server', () => createServer().listen(0)],
    ['starts a process', () => execFile('true')],
    ['connects to a server', () => connectToDatabase()],
  ])('that %s fails with one sentence that names its file', async (does, act) => {
    machine = refuseMachine(() => file)
    await expect(async () => void (await act())).rejects.toThrow(`${file} ${does}, ${rest}`)
  })

  it('that handles the error fails nevertheless', async () => {
    machine = refuseMachine(() => file)
    expect(machine.firstCall()).toBeNull()
    await connectToDatabase().catch(() => undefined)
    expect(machine.firstCall()?.message).toBe(`${file} connects to a server, ${rest}`)
  })
})

async function connectToDatabase(): Promise<void> {
  await new pg.Client({ host: '127.0.0.1', port: 1 }).connect()
}
