import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { StartupError } from '#services/foundation/startup-error'
import { assertReachable, createPool, ensureDatabase } from '#services/postgres/connect'
import { migrate } from '#services/postgres/migrate'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { serverUrl } from '../../support/postgres/database.ts'

/* An administrator makes the role of DATABASE_URL. Each test leaves out one right. */

let role: string
let database: string
let sandbox: string
let administrator: pg.Client
beforeEach(async () => {
  role = `plain_${randomBytes(6).toString('hex')}`
  database = `${role}_billing`
  sandbox = `${database}_sandbox`
  administrator = new pg.Client(serverUrl('postgres'))
  await administrator.connect()
  await administrator.query(`CREATE ROLE ${role} LOGIN PASSWORD 'sesame'`)
  await administrator.query(`CREATE DATABASE ${database}`)
  await administrator.query(`GRANT CREATE ON DATABASE ${database} TO ${role}`)
})
afterEach(async () => {
  for (const name of [database, sandbox])
    await administrator.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  await administrator.query(`DROP ROLE ${role}`)
  await administrator.end()
})

const urlOfRole = (): string =>
  Object.assign(new URL(serverUrl(database)), { username: role, password: 'sesame' }).href

async function refusalOf(work: Promise<unknown>): Promise<string> {
  const refusal = await work.then(
    () => null,
    (error: unknown) => error,
  )
  expect(refusal).toBeInstanceOf(StartupError)
  return (refusal as StartupError).message
}

async function connectOnce(): Promise<void> {
  const pool = createPool(urlOfRole())
  try {
    await assertReachable(pool)
  } finally {
    await pool.end()
  }
}

describe('the role of DATABASE_URL', () => {
  it('needs only CONNECT and CREATE on its database, since pg_trgm is a trusted extension', async () => {
    await connectOnce()
    await migrate(urlOfRole())
    await migrate(urlOfRole())
  })

  it('without LOGIN is refused with the command that grants LOGIN', async () => {
    await administrator.query(`ALTER ROLE ${role} NOLOGIN`)
    expect(await refusalOf(connectOnce())).toMatch(
      new RegExp(
        `^The role "${role}" may not log in to PostgreSQL at 127.0.0.1:\\d+: an administrator runs ALTER ROLE "${role}" LOGIN\\.$`,
      ),
    )
  })

  it('without CONNECT is refused with the command that grants CONNECT', async () => {
    await administrator.query(`REVOKE CONNECT ON DATABASE ${database} FROM PUBLIC`)
    expect(await refusalOf(connectOnce())).toBe(
      `The role "${role}" may not connect to the database "${database}": an administrator runs GRANT CONNECT ON DATABASE "${database}" TO "${role}".`,
    )
  })

  it('without CREATE on the database is refused with the command that grants CREATE', async () => {
    await administrator.query(`REVOKE CREATE ON DATABASE ${database} FROM ${role}`)
    expect(await refusalOf(migrate(urlOfRole()))).toBe(
      `The role "${role}" may not create schemas in the database "${database}": an administrator runs GRANT CREATE ON DATABASE "${database}" TO "${role}".`,
    )
  })

  it('is refused with the name of the owner if another role owns the tables', async () => {
    await migrate(serverUrl(database))
    expect(await refusalOf(migrate(urlOfRole()))).toBe(
      `The role "${role}" does not own the schema "app", which belongs to "billing". Set DATABASE_URL to that role, or an administrator runs GRANT "billing" TO "${role}".`,
    )
  })

  it('gets the package to install if the server does not have pg_trgm', async () => {
    await administrator.query(`ALTER ROLE ${role} SET extension_control_path = '/nowhere'`)
    expect(await refusalOf(migrate(urlOfRole()))).toBe(
      'This PostgreSQL has no extension pg_trgm: install the contrib package of the server (postgresql-contrib).',
    )
  })

  it('gets the command for the administrator if only an administrator may create pg_trgm', async () => {
    const directory = await temporaryDirectory()
    try {
      await mkdir(join(directory.path, 'extension'))
      await writeFile(
        join(directory.path, 'extension/pg_trgm.control'),
        `default_version = '1.6'\ntrusted = false\n`,
      )
      await writeFile(join(directory.path, 'extension/pg_trgm--1.6.sql'), '')
      await administrator.query(
        `ALTER ROLE ${role} SET extension_control_path = '${directory.path}'`,
      )
      expect(await refusalOf(migrate(urlOfRole()))).toBe(
        `This PostgreSQL lets only an administrator create the extension pg_trgm: an administrator runs CREATE EXTENSION pg_trgm in the database "${database}".`,
      )
    } finally {
      await directory.remove()
    }
  })
})

describe('the database of the sandbox', () => {
  it('is created by a role with CREATEDB', async () => {
    await administrator.query(`ALTER ROLE ${role} CREATEDB`)
    expect(await ensureDatabase(urlOfRole(), sandbox)).toBe(true)
  })

  it('is refused with the command that grants CREATEDB if the role lacks CREATEDB', async () => {
    expect(await refusalOf(ensureDatabase(urlOfRole(), sandbox))).toBe(
      `The role "${role}" may not create the database "${sandbox}": an administrator runs ALTER ROLE "${role}" CREATEDB, or CREATE DATABASE "${sandbox}" OWNER "${role}".`,
    )
  })

  it('can be created by an administrator with the role as its owner', async () => {
    await administrator.query(`CREATE DATABASE ${sandbox} OWNER ${role}`)
    expect(await ensureDatabase(urlOfRole(), sandbox)).toBe(false)
  })

  it('is refused with the command that grants CREATE if an administrator created it without the role as its owner', async () => {
    await administrator.query(`CREATE DATABASE ${sandbox}`)
    expect(await refusalOf(ensureDatabase(urlOfRole(), sandbox))).toBe(
      `The role "${role}" may not create schemas in the database "${sandbox}": an administrator runs GRANT CREATE ON DATABASE "${sandbox}" TO "${role}".`,
    )
  })
})
