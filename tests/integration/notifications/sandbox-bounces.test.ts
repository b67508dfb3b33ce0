import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { randomBytes } from 'node:crypto'
import pino from 'pino'
import { parseUserId } from '#contracts/ids'
import { createMailer, type Mailer } from '#services/mail/mailer'
import { readReport, type DeliveryReport } from '#services/mail/reports/read-report'
import { verdictOf } from '#services/mail/reports/verdict'
import { returnAddress } from '#services/mail/return-addresses'
import { reportRoute } from '#services/notifications/returned/report-route'
import { until } from '../../support/machine/until.ts'
import { testReturnTokens } from '../../support/mail/return-tokens.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { serveArea, type AreaServer } from '../../support/product/area-server.ts'
import { startTestSandbox, webhookSecret, type TestSandbox } from '../../support/product/sandbox.ts'

/* The product's mailer over SMTP to the sandbox, and the sandbox's reports to the product. */

const bounceAddress = 'bounce@example.com'
const owner = {
  kind: 'user' as const,
  id: parseUserId(`usr_${randomBytes(12).toString('hex')}`),
}
const token = testReturnTokens.tokenOf(owner, 'event_1.primary@example.com') ?? ''

let database: TestDatabase
let server: AreaServer
let sandbox: TestSandbox
let mailer: Mailer
let reports: DeliveryReport[] = []
/** Calls of the sandbox that fail before one is taken. */
let failures = 0

beforeAll(async () => {
  database = await createTestDatabase()
  const log = pino({ level: 'silent' })
  server = await serveArea(() => undefined, log, {
    database,
    webhook: reportRoute({
      returned: {
        async take(raw) {
          failures -= 1
          if (failures >= 0) throw new Error('The log is away.')
          const report = await readReport(raw)
          if (report !== null) reports.push(report)
          return report === null ? 'no-report' : 'own-returned'
        },
      },
      secret: webhookSecret,
      log,
    }),
  })
  sandbox = await startTestSandbox({ webhookUrl: `${server.url}/api/stripe/webhook` })
  mailer = createMailer(`smtp://127.0.0.1:${sandbox.smtpPort}`, 'billing@example.com', {
    bounceAddress,
  })
}, 60_000)
afterAll(async () => {
  mailer?.close()
  await sandbox?.close()
  await server?.close()
  await database?.drop()
})
beforeEach(() => {
  reports = []
  failures = 0
})

const send = (to: string, returnToken: string | null = token) =>
  mailer.send({ to, subject: 'Receipt', text: 'Paid', html: '<p>Paid</p>', returnToken })

async function messageTo(to: string) {
  const response = await fetch(`${sandbox.url}/inbox.json?to=${encodeURIComponent(to)}`)
  const [message] = (await response.json()) as {
    readonly id: string
    readonly returnPath: string
    readonly bouncedAt: string | null
  }[]
  if (message === undefined) throw new Error(`No mail to ${to} arrived.`)
  return message
}

const bounce = async (id: string) =>
  (await fetch(`${sandbox.url}/inbox/${id}/bounce`, { method: 'POST', redirect: 'manual' })).status

describe('a mail in the inbox', () => {
  it('comes back by its button, with the token in the recipient, the envelope id and a header', async () => {
    await send('dana@example.com')
    const { id, returnPath, bouncedAt } = await messageTo('dana@example.com')
    expect([returnPath, bouncedAt]).toEqual([returnAddress(bounceAddress, token), null])
    expect(await bounce(id)).toBe(303)
    const [report] = reports
    expect(report).toMatchObject({ envelopeId: token, to: [returnPath] })
    expect(report?.returned.get('x-return-token')).toBe(token)
    expect(report && verdictOf(report)).toEqual({ kind: 'bounced', reason: '5.1.1, SMTP 550' })
    expect((await messageTo('dana@example.com')).bouncedAt).not.toBeNull()
    const page = await (await fetch(`${sandbox.url}/inbox?message=${id}`)).text()
    expect(page).toContain('Bounce again')
  })

  it('without a token comes back to the address itself', async () => {
    await send('code@example.com', null)
    const { id, returnPath } = await messageTo('code@example.com')
    expect(returnPath).toBe(bounceAddress)
    expect(await bounce(id)).toBe(303)
    expect(reports).toMatchObject([{ envelopeId: null, to: [bounceAddress] }])
  })

  it('does not come back if the product refuses the report, and can again later', async () => {
    await send('refused-report@example.com')
    const { id } = await messageTo('refused-report@example.com')
    failures = 1
    expect(await bounce(id)).toBe(502)
    expect((await messageTo('refused-report@example.com')).bouncedAt).toBeNull()
    expect(await bounce(id)).toBe(303)
    expect(await bounce('msg_unknown')).toBe(502)
  })
})

describe('a mail to later.test', () => {
  it('is accepted and comes back once, also if the first report fails', async () => {
    failures = 1
    await send('lee@later.test')
    expect(reports).toEqual([])
    await until(() => reports.length > 0, 'no report came', 15)
    await until(async () => (await messageTo('lee@later.test')).bouncedAt !== null, 'no time', 5)
    expect(reports).toMatchObject([{ envelopeId: token }])
  }, 30_000)
})
