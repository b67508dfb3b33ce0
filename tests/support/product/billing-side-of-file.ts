import { afterAll } from '@jest/globals'
import pino, { type Logger } from 'pino'
import { createTestDatabase } from '../postgres/database.ts'
import { startBillingSide } from './billing-side.ts'
import { startTestSandbox } from './sandbox.ts'

/**
 * Starts a database, a sandbox that sends no webhooks, and a billing side for the tests of the
 * calling file. Closes them after the last test. Call it at the top of the file: `const { side } =
 * await billingSideOfFile()`.
 */
export async function billingSideOfFile(log: Logger = pino({ level: 'silent' })) {
  const database = await createTestDatabase()
  const sandbox = await startTestSandbox()
  const side = await startBillingSide({ database, sandbox }, log)
  afterAll(async () => {
    await side.close()
    await sandbox.close()
    await database.drop()
  })
  return { database, sandbox, side }
}
