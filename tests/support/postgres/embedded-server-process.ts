import pg from 'pg'
import { startEmbeddedPostgres } from '#services/postgres/embedded-postgres'

// A separate process that tests/integration/postgres/embedded-postgres.full.test.ts kills. It
// starts a server over the given directory, commits a row for every line of input, and answers
// `committed`.
const server = await startEmbeddedPostgres({ dataDir: process.argv[2] ?? '' })
const client = new pg.Client({ connectionString: server.connectionString('postgres') })
await client.connect()
await client.query('CREATE TABLE IF NOT EXISTS note (text text)')
process.stdout.write('ready\n')
process.stdin.on('data', (text: Buffer) => {
  void client
    .query('INSERT INTO note VALUES ($1)', [text.toString('utf8').trim()])
    .then(() => process.stdout.write('committed\n'))
})
