import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createMailSide } from '../../support/product/mail-side.ts'
import { startMailServer } from '../../support/product/mail-server.ts'
import { until } from '../../support/machine/until.ts'

let side: Awaited<ReturnType<typeof createMailSide>>
let server: Awaited<ReturnType<typeof startMailServer>>
let child: ReturnType<typeof startProcess> | undefined
beforeAll(async () => {
  side = await createMailSide()
  server = await startMailServer()
  // The processes have the system's clock.
  side.time.now = Date.now()
}, 60_000)
afterAll(async () => {
  child?.kill('SIGKILL')
  await server.close()
  await side.close()
})

function startProcess() {
  const script = fileURLToPath(new URL('../../support/product/mail-process.ts', import.meta.url))
  const smtpUrl = `smtp://127.0.0.1:${server.port}`
  return fork(script, [side.database.connectionString, smtpUrl], {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
}

it('a process killed between a mail and its record repeats the mail once, with the same Message-ID', async () => {
  const { pool } = side.database
  child = startProcess()
  await side.started()
  side.time.now = Date.now()
  // The outcome of the mail cannot be recorded while another writer holds the log.
  const { userId, email } = await side.verifiedAccount()
  await until(() => server.mails.length === 1, 'the first mail is not sent', 60)
  await until(async () => (await side.outcomesOf(userId)).length === 1, 'it is not recorded', 60)

  const writer = await pool.connect()
  await writer.query(
    `CREATE FUNCTION log.hold() RETURNS trigger LANGUAGE plpgsql AS
     'BEGIN IF NEW.type = ''MailSent'' THEN PERFORM pg_advisory_xact_lock(15); END IF; RETURN NEW; END'`,
  )
  await writer.query(
    'CREATE TRIGGER hold BEFORE INSERT ON log.event FOR EACH ROW EXECUTE FUNCTION log.hold()',
  )
  await writer.query('SELECT pg_advisory_lock(15)')
  const killed = await side.verifiedAccount()
  const recording = async () =>
    (
      await pool.query<{ pid: number }>(
        "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = 15 AND NOT granted",
      )
    ).rows
  await until(async () => (await recording()).length === 1, 'the outcome is not recorded', 60)
  expect(server.mails.map(({ to }) => to?.[0]?.address)).toEqual([email, killed.email])
  child.kill('SIGKILL')
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
  // Its statement would otherwise still be performed.
  for (const { pid } of await recording())
    await pool.query('SELECT pg_terminate_backend($1)', [pid])
  await until(async () => (await recording()).length === 0, 'the statement waits')
  await writer.query('DROP TRIGGER hold ON log.event')
  await writer.query('SELECT pg_advisory_unlock(15)')
  writer.release()

  child = startProcess()
  const outcomes = () => side.outcomesOf(killed.userId)
  await until(async () => (await outcomes()).length === 1, 'the mail is not repeated', 60)
  const isDone = async () =>
    (await pool.query('SELECT 1 FROM app.outbox WHERE done_at IS NULL')).rowCount === 0
  await until(isDone, 'the entry is not marked', 60)
  const repeated = server.mails.slice(1)
  expect(repeated.map(({ to }) => to?.[0]?.address)).toEqual([killed.email, killed.email])
  expect(new Set(repeated.map(({ messageId }) => messageId)).size).toBe(1)
  expect(await outcomes()).toMatchObject([{ type: 'MailSent', attempts: 1 }])
}, 180_000)
