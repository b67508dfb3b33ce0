import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { applicationNames, type ApplicationName } from '#services/foundation/application-names'
import { untilOtherCommandsEnd } from '#services/operations/until-other-commands-end'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { until } from '../../support/machine/until.ts'

let db: TestDatabase

beforeEach(async () => {
  db = await createTestDatabase()
})

afterEach(() => db.drop())

async function sessionOf(applicationName: ApplicationName): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: db.connectionString,
    application_name: applicationName,
  })
  await client.connect()
  return client
}

describe('a command that runs the embedded server', () => {
  it('waits for the sessions of other commands before it stops the server', async () => {
    const other = await sessionOf(applicationNames.operator)
    const printed: string[] = []
    let hasEnded = false
    const waiting = untilOtherCommandsEnd(db.connectionString, (line) => printed.push(line)).then(
      () => (hasEnded = true),
    )
    await until(() => Promise.resolve(printed.length > 0))
    expect(hasEnded).toBe(false)
    await other.end()
    await waiting
    expect(printed).toEqual([
      'Another command uses the embedded database. This command ends after that one.',
    ])
  })

  it('does not wait for the product, which starts the server again', async () => {
    const product = await sessionOf(applicationNames.product)
    const printed: string[] = []
    await untilOtherCommandsEnd(db.connectionString, (line) => printed.push(line))
    expect(printed).toEqual([])
    await product.end()
  })
})
