import pg from 'pg'
import { z } from 'zod'
import { allRows, firstRow, oneRow } from '#services/foundation/rows'
import { StartupError } from '#services/foundation/startup-error'

/*
 * What the role of DATABASE_URL needs: LOGIN, CONNECT and CREATE on its database, and with the
 * sandbox also CREATEDB or a database created for it. Each function checks one right by a query,
 * since the server's messages may be in any language.
 */

const quoted = pg.escapeIdentifier

const rightsRow = z.object({ role: z.string(), connect: z.boolean(), create: z.boolean() })
const databaseRow = z.object({ database: z.string() })
const foreignSchemaRow = z.object({ role: z.string(), schema: z.string(), owner: z.string() })
const extensionRow = z.object({ mayCreate: z.boolean() })
const roleRow = z.object({ role: z.string() })

export function missingConnect(role: string, database: string): StartupError {
  return new StartupError(
    `The role "${role}" may not connect to the database "${database}": an administrator runs GRANT CONNECT ON DATABASE ${quoted(database)} TO ${quoted(role)}.`,
  )
}

export async function missingCreatedb(client: pg.Client, database: string): Promise<StartupError> {
  const role = await roleOf(client)
  return new StartupError(
    `The role "${role}" may not create the database "${database}": an administrator runs ALTER ROLE ${quoted(role)} CREATEDB, ` +
      `or CREATE DATABASE ${quoted(database)} OWNER ${quoted(role)}.`,
  )
}

/** @throws StartupError unless the role may connect to `database` and create schemas there */
export async function assertMayCreateSchemas(client: pg.Client, database: string): Promise<void> {
  const rights = await oneRow(
    client,
    rightsRow,
    `SELECT current_user AS role, has_database_privilege($1, 'CONNECT') AS connect, has_database_privilege($1, 'CREATE') AS create`,
    [database],
  )
  if (!rights.connect) throw missingConnect(rights.role, database)
  if (!rights.create) {
    throw new StartupError(
      `The role "${rights.role}" may not create schemas in the database "${database}": ` +
        `an administrator runs GRANT CREATE ON DATABASE ${quoted(database)} TO ${quoted(rights.role)}.`,
    )
  }
}

/**
 * Checks every right that the migrations need, on a connection to the database that they change.
 * @throws StartupError that names the first missing right
 */
export async function assertMayMigrate(client: pg.Client): Promise<void> {
  const { database } = await oneRow(client, databaseRow, 'SELECT current_database() AS database')
  await assertMayCreateSchemas(client, database)
  await assertOwnsSchemas(client)
  await assertHasTrigrams(client, database)
}

/** Migrations change tables, and only the owner of a table may change it. */
async function assertOwnsSchemas(client: pg.Client): Promise<void> {
  const foreign = await firstRow(
    client,
    foreignSchemaRow,
    `SELECT current_user AS role, nspname AS schema, pg_get_userbyid(nspowner) AS owner FROM pg_namespace
     WHERE nspname IN ('app', 'log', 'projection') AND NOT pg_has_role(nspowner, 'USAGE') ORDER BY nspname LIMIT 1`,
  )
  if (foreign === undefined) return
  throw new StartupError(
    `The role "${foreign.role}" does not own the schema "${foreign.schema}", which belongs to "${foreign.owner}". Set DATABASE_URL to that role, ` +
      `or an administrator runs GRANT ${quoted(foreign.owner)} TO ${quoted(foreign.role)}.`,
  )
}

async function assertHasTrigrams(client: pg.Client, database: string): Promise<void> {
  const { rowCount: isInstalled } = await client.query(
    `SELECT 1 FROM pg_extension WHERE extname = 'pg_trgm'`,
  )
  if (isInstalled) return
  const rows = await allRows(
    client,
    extensionRow,
    `SELECT trusted OR (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AS "mayCreate" FROM pg_available_extension_versions WHERE name = 'pg_trgm'`,
  )
  if (rows.some(({ mayCreate }) => mayCreate)) return
  throw new StartupError(
    rows.length > 0
      ? `This PostgreSQL lets only an administrator create the extension pg_trgm: an administrator runs CREATE EXTENSION pg_trgm in the database "${database}".`
      : 'This PostgreSQL has no extension pg_trgm: install the contrib package of the server (postgresql-contrib).',
  )
}

async function roleOf(client: pg.Client): Promise<string> {
  const { role } = await oneRow(client, roleRow, 'SELECT current_user AS role')
  return role
}
