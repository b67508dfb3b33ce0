import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import pg from 'pg'
import { refusalSentences } from '#services/administrators/refusal-sentences'
import { sharedSecrets } from '../../support/data/real-settings.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { billingInOneProcess } from '../../support/product/billing-in-one-process.ts'

const runBilling = billingInOneProcess()

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const admins = (...args: readonly string[]) =>
  runBilling(
    {
      DATA_DIR: '/nonexistent',
      DATABASE_URL: database.connectionString,
      ADMIN_PASSWORD: 'a long password',
      ...sharedSecrets,
    },
    'admins',
    ...args,
  )
const add = (email: string, name: string, role: string) =>
  admins('add', email, '--name', name, '--role', role)

/** A session of an administrator. Returns its handle, which the notification of its end has. */
async function sessionOf(subject: string): Promise<string> {
  const handle = randomUUID()
  await database.pool.query(
    `INSERT INTO app.admin_session (sid, sess, expire) VALUES ($1, $2, now() + interval '1 hour')`,
    [randomUUID(), JSON.stringify({ subject, handle, signedInAt: Date.now() })],
  )
  return handle
}
const subjects = async () =>
  (
    await database.pool.query<{ subject: string }>(
      `SELECT sess->>'subject' AS subject FROM app.admin_session ORDER BY 1`,
    )
  ).rows.map(({ subject }) => subject)

const ada = 'Ada Lind <ada@agilereceivables.example>'

it('billing admins adds, lists, changes and ends administrators', async () => {
  expect(await admins('list')).toMatchObject({
    code: 0,
    stdout:
      "No administrator is added yet: the shared password alone signs in. Add the first owner with 'billing admins add'.\n",
  })
  await sessionOf('adm_of_the_shared_password')
  await sessionOf('adm_of_another_browser')

  expect(await add('ada@agilereceivables.example', 'Ada Lind', 'support')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: `${refusalSentences['first-is-owner']} Nothing was changed.\n`,
  })
  expect(await subjects()).toHaveLength(2)

  expect(await add('ada@agilereceivables.example', ' Ada Lind ', 'owner')).toMatchObject({
    code: 0,
    stdout: [
      `${ada} is an administrator with the role Owner.`,
      'The sessions with the shared password alone have ended. A sign-in now needs the password, the address and a mailed code.',
      '',
    ].join('\n'),
  })
  expect(await subjects()).toEqual([])

  // The second one ends no session.
  await sessionOf('adm_of_ada')
  expect(await add('bo@agilereceivables.example', 'Bo Ek', 'reader')).toMatchObject({
    code: 0,
    stdout: 'Bo Ek <bo@agilereceivables.example> is an administrator with the role Reader.\n',
  })
  expect(await subjects()).toEqual(['adm_of_ada'])
  expect(await add('bo@agilereceivables.example', 'Bo Ek', 'reader')).toMatchObject({
    code: 1,
    stderr: `${refusalSentences['email-taken']} Nothing was changed.\n`,
  })

  expect(await admins('role', 'bo@agilereceivables.example', 'finance')).toMatchObject({
    code: 0,
    stdout: 'Bo Ek <bo@agilereceivables.example> has the role Finance.\n',
  })
  const rename = (name: string) => admins('rename', 'bo@agilereceivables.example', '--name', name)
  expect(await rename('Bo Lund')).toMatchObject({
    code: 0,
    stdout: 'Bo Ek <bo@agilereceivables.example> has the name Bo Lund.\n',
  })
  expect(await rename(' ')).toMatchObject({
    code: 1,
    stderr: 'Name is required. Give a name with --name. Nothing was changed.\n',
  })
  expect(await admins('list')).toMatchObject({
    code: 0,
    stdout: `${ada}: Owner\nBo Lund <bo@agilereceivables.example>: Finance\n`,
  })
}, 240_000)

it('billing admins refuses to end or change the last owner, and a wrong address', async () => {
  const refused = { code: 1, stderr: `${refusalSentences['last-owner']} Nothing was changed.\n` }
  expect(await admins('end', 'ada@agilereceivables.example')).toMatchObject(refused)
  expect(await admins('role', 'ada@agilereceivables.example', 'reader')).toMatchObject(refused)
  expect(await admins('end', 'cy@agilereceivables.example')).toMatchObject({
    code: 1,
    stderr:
      "No administrator has the address cy@agilereceivables.example. 'billing admins list' shows them. Nothing was changed.\n",
  })
  expect(await admins('end', 'cy')).toMatchObject({
    code: 1,
    stderr: "'cy' is not an e-mail address. Nothing was changed.\n",
  })
  expect(await add('di@agilereceivables.example', '  ', 'reader')).toMatchObject({
    code: 1,
    stderr: 'Name is required. Give a name with --name. No administrator was added.\n',
  })
}, 240_000)

it('billing admins end deletes the sessions of the person, and a repeat completes', async () => {
  const { rows } = await database.pool.query<{ id: string }>(
    `SELECT data->>'adminId' AS id FROM log.event WHERE type = 'AdministratorAdded' ORDER BY revision`,
  )
  const bo = rows[1]?.id ?? ''
  const handle = await sessionOf(bo)
  const listener = new pg.Client({ connectionString: database.connectionString })
  const ended: (string | undefined)[] = []
  listener.on('notification', ({ payload }) => ended.push(payload))
  await listener.connect()
  await listener.query('LISTEN ended_session')

  const done = {
    code: 0,
    stdout: 'Bo Lund <bo@agilereceivables.example> is no administrator any more.\n',
  }
  expect(await admins('end', 'bo@agilereceivables.example')).toMatchObject(done)
  expect(await subjects()).toEqual(['adm_of_ada'])
  // Every process ends the live pages of the session after this notification.
  await listener.query('SELECT 1')
  expect(ended).toEqual([handle])
  await listener.end()

  // As if the first run had stopped between the event and the sessions.
  await sessionOf(bo)
  expect(await admins('end', 'bo@agilereceivables.example')).toMatchObject(done)
  expect(await subjects()).toEqual(['adm_of_ada'])
  expect((await admins('list')).stdout).toBe(
    `${ada}: Owner\nBo Lund <bo@agilereceivables.example>: ended\n`,
  )
}, 240_000)
