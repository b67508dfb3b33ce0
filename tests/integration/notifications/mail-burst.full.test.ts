import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createMailTurns, createMailer } from '#services/mail/mailer'
import { outboxStatus } from '#services/reactors/outbox'
import { createMailSide } from '../../support/product/mail-side.ts'
import { startStrictMailServer } from '../../support/product/strict-mail-server.ts'
import { until } from '../../support/machine/until.ts'

const burst = 1_000
/**
 * The product's limit, and a server that allows less. On a slow machine the limit of mails per
 * connection causes the refusals.
 */
const sentPerSecond = 100
const takenPerSecond = 60

let side: Awaited<ReturnType<typeof createMailSide>>
beforeAll(async () => {
  side = await createMailSide()
}, 60_000)
afterAll(() => side.close())

const status = async () => (await outboxStatus(side.database.pool))[0]

it('a burst of 1,000 mails is sent once each to a server that answers 421 and drops connections above its rate', async () => {
  const server = await startStrictMailServer({
    perConnection: 60,
    refusesEvery: 10,
    perSecond: takenPerSecond,
    dropsEvery: 4,
  })
  const mailer = createMailer(server.url, 'billing@example.com', {
    turns: createMailTurns(sentPerSecond),
  })
  const mails = side.mailing((mail) => mailer.send(mail))
  // All mails wait when the reactor starts to send.
  const stopFirst = mails.start()
  await side.started()
  await stopFirst()
  for (let opened = 0; opened < burst; opened += 50)
    await Promise.all(Array.from({ length: 50 }, () => side.verifiedAccount()))
  const startedAt = Date.now()
  const stop = mails.start()
  try {
    await until(
      async () => server.messageIds.length >= burst && (await status())?.waiting === 0,
      'mails are missing',
      540,
    )
  } finally {
    await stop()
    mailer.close()
    server.close()
  }
  process.stdout.write(
    `${burst} mails in ${Math.round((Date.now() - startedAt) / 1_000)} s: ${mails.attempted.length} attempts, ${server.refusals()} answers 421, ${server.drops()} dropped connections, ${server.connections()} connections, at most ${server.maxPerSecond()} mails in a second.\n`,
  )
  expect(new Set(server.messageIds).size).toBe(burst)
  expect(server.messageIds).toHaveLength(burst)
  expect(server.refusals()).toBeGreaterThan(0)
  expect(server.drops()).toBeGreaterThan(0)
  expect(await status()).toMatchObject({ waiting: 0, dead: 0 })
}, 600_000)
