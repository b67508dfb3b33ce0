import pg from 'pg'
import { inParallel } from '#services/foundation/in-parallel'

interface PlainRow {
  readonly number: string
  readonly client: { readonly name: string; readonly email: string }
  readonly issueDate: string
  readonly dueDate: string
  readonly amount: number
  readonly openAmount: number | null
  readonly reference: string
}

/**
 * The same rows by the simplest code that stores them durably: three tables, and a transaction with
 * three statements for each part. No log, no keys, no lists, and nothing that a crash continues.
 * Returns seconds.
 */
export async function importPlainly(
  connectionString: string,
  parts: readonly (readonly PlainRow[])[],
  atOnce: number,
): Promise<number> {
  const pool = new pg.Pool({ connectionString, max: atOnce })
  try {
    await pool.query(`CREATE SCHEMA plain;
      CREATE TABLE plain.client (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text, email text, UNIQUE (name, email));
      CREATE TABLE plain.invoice (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, client_id bigint REFERENCES plain.client,
        number text, issue_date date, due_date date, amount bigint, reference text, UNIQUE (client_id, number));
      CREATE TABLE plain.payment (invoice_id bigint REFERENCES plain.invoice, amount bigint);`)
    const began = performance.now()
    await inParallel(atOnce, parts, async (part) => {
      const connection = await pool.connect()
      try {
        await store(connection, part)
      } finally {
        connection.release()
      }
    })
    return (performance.now() - began) / 1_000
  } finally {
    await pool.query('DROP SCHEMA IF EXISTS plain CASCADE')
    await pool.end()
  }
}

const given = `jsonb_to_recordset($1::jsonb) AS g (
  number text, client jsonb, "issueDate" date, "dueDate" date, amount bigint, "openAmount" bigint, reference text)`

async function store(connection: pg.PoolClient, part: readonly PlainRow[]): Promise<void> {
  const rows = [JSON.stringify(part)]
  await connection.query('BEGIN')
  // In one order, so that two parts do not wait for each other's clients.
  await connection.query(
    `INSERT INTO plain.client (name, email)
     SELECT DISTINCT client ->> 'name' AS name, client ->> 'email' AS email FROM ${given} ORDER BY 1, 2
     ON CONFLICT DO NOTHING`,
    rows,
  )
  await connection.query(
    `INSERT INTO plain.invoice (client_id, number, issue_date, due_date, amount, reference)
     SELECT c.id, g.number, "issueDate", "dueDate", g.amount, g.reference FROM ${given}
     JOIN plain.client c ON c.name = client ->> 'name' AND c.email = client ->> 'email'
     ON CONFLICT DO NOTHING`,
    rows,
  )
  await connection.query(
    `INSERT INTO plain.payment
     SELECT i.id, g.amount - "openAmount" FROM ${given}
     JOIN plain.client c ON c.name = client ->> 'name' AND c.email = client ->> 'email'
     JOIN plain.invoice i ON i.client_id = c.id AND i.number = g.number WHERE "openAmount" IS NOT NULL`,
    rows,
  )
  await connection.query('COMMIT')
}
