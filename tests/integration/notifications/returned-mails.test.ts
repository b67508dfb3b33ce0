import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { randomBytes } from 'node:crypto'
import { createTransport } from 'nodemailer'
import pino from 'pino'
import { parseClientId, parseUserId, type ClientId } from '#contracts/ids'
import { createCommandHandler } from '#services/commands/handle-command'
import { createCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import type { EventStore } from '#services/event-store/event-store'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { parseTimeZone } from '#services/finance/time-zone'
import {
  clientReminderStream,
  clientStream,
  notificationStream,
  signInStream,
} from '#services/foundation/stream-names'
import { returnAddress, type MailOwner } from '#services/mail/return-addresses'
import {
  listenForReports,
  type ReportListener,
} from '#services/notifications/returned/report-listener'
import { reportRoute } from '#services/notifications/returned/report-route'
import {
  createReturnedMails,
  type ReturnedMails,
} from '#services/notifications/returned/returned-mails'
import { createReceivables, type Receivables } from '#services/receivables/receivables-service'
import { codeTokenOf, requestOf } from '#services/accounts/code-token'
import { selfSigned } from '../../support/machine/self-signed.ts'
import { testContext } from '../../support/data/test-context.ts'
import { macKey } from '../../support/event-store/mac-key.ts'
import { awayAnswer, postfixReport } from '../../support/mail/delivery-reports.ts'
import { testReturnTokens as tokens } from '../../support/mail/return-tokens.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { serveArea, type AreaServer } from '../../support/product/area-server.ts'

/* Reports that mails came back, as calls and over SMTP, and what they change in the log. */

const bounceAddress = 'bounce@example.com'
const secret = 'a secret of the delivery reports'
const merchantId = parseUserId(`usr_${randomBytes(12).toString('hex')}`)
const email = 'ap@grace.example'
const clock = { now: () => new Date('2026-11-25T18:12:00.000Z') }
const lines: string[] = []
const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })

let database: TestDatabase
let store: EventStore
let codec: ReturnType<typeof createCodec>
let commands: ReturnType<typeof createCommandHandler>
let receivables: Receivables
let returned: ReturnedMails
let server: AreaServer
let listener: ReportListener
let outcomes: string[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  store = createPostgresEventStore({ connectionString: database.connectionString })
  const keys = createPersonalKeys(database.pool, Buffer.alloc(32, 1))
  codec = createCodec(keys)
  commands = createCommandHandler({ store, codec, clock, macKey })
  const zone = parseTimeZone('America/Chicago')
  if (zone === null) throw new Error('The zone is missing.')
  receivables = createReceivables({
    commands,
    keys,
    clock,
    isErased: () => Promise.resolve(false),
    defaultTimeZone: () => Promise.resolve(zone),
  })
  returned = createReturnedMails({
    commands,
    store,
    clock,
    receivables,
    tokens,
    bounceAddress,
    onOutcome: (outcome) => outcomes.push(outcome),
    log,
  })
  await keys.createAll([merchantId])
  server = await serveArea(() => undefined, log, {
    database,
    webhook: reportRoute({ returned, secret, log }),
  })
  listener = await listenForReports({ returned, log }, { host: '127.0.0.1', port: 0, tls: null })
}, 60_000)
afterAll(async () => {
  await listener?.close()
  await server?.close()
  await store?.close()
  await database?.drop()
})
beforeEach(() => {
  outcomes = []
  lines.length = 0
})

async function eventsOf(stream: string) {
  const events = await codec.decodeStream(await store.readStream(stream))
  return events.map(({ type, data }) => ({ type, ...data }))
}

/** A client with a message that the mail server took, and the address to which it comes back. */
async function messaged(messageId = `message_${randomBytes(8).toString('hex')}`) {
  const details = {
    name: 'Grace',
    number: null,
    email,
    phone: null,
    state: null,
    timeZone: null,
    note: null,
  }
  const { clientId } = await receivables.addClient(merchantId, details, testContext())
  const of = { merchantId, clientId, messageId }
  const step = { receivableId: 'receivable_1', stepId: 'step_1', repetition: 0 }
  const record = (event: Parameters<typeof commands.record>[0]['event']) =>
    commands.record({ stream: clientReminderStream(clientId), event, context: testContext() })
  const occurredAt = clock.now().toISOString()
  await record({
    type: 'MessageDue',
    data: {
      ...of,
      day: '2026-11-25',
      merchantDay: '2026-11-25',
      cause: 'schedule',
      channel: 'mail',
      tone: 'friendly',
      to: email,
      steps: [
        {
          ...step,
          offset: 3,
          channel: 'mail',
          tone: 'friendly',
          dueDay: '2026-11-25',
          delays: [],
        },
      ],
      replaced: [],
    },
    occurredAt,
  })
  const sent = async () =>
    record({
      type: 'MessageSent',
      data: { ...of, channel: 'mail', subject: 'Invoice', body: 'Text', providerId: null },
      occurredAt,
    })
  return { clientId, messageId, sent, ...tokenFor({ kind: 'client', id: clientId }, messageId) }
}

function tokenFor(owner: MailOwner, messageId: string) {
  const token = tokens.tokenOf(owner, messageId)
  if (token === null) throw new Error('The owner has no token.')
  return { token, address: returnAddress(bounceAddress, token) }
}

const what = async (clientId: ClientId) => ({
  client: (await eventsOf(clientStream(clientId))).filter(({ type }) => type !== 'ClientAdded'),
  reminders: (await eventsOf(clientReminderStream(clientId))).filter(
    ({ type }) => type === 'MessageReturned',
  ),
})

const post = (
  body: string,
  headers: Record<string, string> = { authorization: `Bearer ${secret}` },
) =>
  fetch(`${server.url}/api/mail/delivery-reports`, {
    method: 'POST',
    headers: { 'content-type': 'message/rfc822', ...headers },
    body,
  })

describe('a message to a client that comes back', () => {
  it('marks the address, then the message, and a repeat records nothing', async () => {
    const { clientId, messageId, sent, address } = await messaged()
    await sent()
    const report = postfixReport({ to: address, recipient: email })
    for (let times = 0; times < 3; times += 1) {
      const response = await post(report)
      expect(await response.json()).toEqual({ outcome: 'client-bounced' })
    }
    expect(await what(clientId)).toEqual({
      client: [
        expect.objectContaining({
          type: 'ClientAddressBounced',
          channel: 'mail',
          address: email,
          reason: '5.1.1, SMTP 550',
        }),
      ],
      reminders: [
        { type: 'MessageReturned', merchantId, clientId, messageId, reason: '5.1.1, SMTP 550' },
      ],
    })
    expect(outcomes).toEqual(['client-bounced', 'client-bounced', 'client-bounced'])
  })

  it('is found by the envelope id or the returned header alone, before its sending is recorded', async () => {
    const byHeader = await messaged()
    const byEnvelope = await messaged()
    const returnedHeaders = `Message-ID: <1@b>\r\nX-Return-Token: ${byHeader.token.toUpperCase()}`
    await returned.take(Buffer.from(postfixReport({ to: 'x@y.z', returned: returnedHeaders })))
    await returned.take(
      Buffer.from(postfixReport({ to: bounceAddress, envelopeId: byEnvelope.token })),
    )
    for (const { clientId, sent } of [byHeader, byEnvelope]) {
      await sent()
      expect((await what(clientId)).reminders).toHaveLength(1)
    }
  })

  it('leaves the address if the reason can end', async () => {
    const { clientId, sent, address } = await messaged()
    await sent()
    const full = postfixReport({ to: address, status: '5.2.2' })
    expect(await returned.take(Buffer.from(full))).toBe('client-returned')
    const { client, reminders } = await what(clientId)
    expect([client, reminders]).toMatchObject([[], [{ reason: '5.2.2, SMTP 550' }]])
  })

  it.each([
    ['waits', { action: 'delayed', status: '4.4.1' }],
    ['arrived', { action: 'delivered', status: '2.0.0' }],
  ])('changes nothing while it only %s', async (outcome, parts) => {
    const { clientId, sent, address } = await messaged()
    await sent()
    const report = postfixReport({ to: address, ...parts })
    expect(await returned.take(Buffer.from(report))).toBe(outcome)
    expect(await what(clientId)).toEqual({ client: [], reminders: [] })
    expect(lines.join('')).toContain(outcome)
  })

  it('changes nothing under a token of another message, client or key', async () => {
    const { clientId, sent, messageId } = await messaged()
    await sent()
    const other = parseClientId(`client_${randomBytes(16).toString('hex')}`)
    const forged = [
      tokenFor({ kind: 'client', id: clientId }, `${messageId}1`),
      tokenFor({ kind: 'client', id: other }, messageId),
    ]
    for (const { address } of forged) {
      const report = postfixReport({ to: address })
      expect(await returned.take(Buffer.from(report))).toBe('unknown-mail')
    }
    expect(await what(clientId)).toEqual({ client: [], reminders: [] })
    expect((await store.readStream(clientReminderStream(other))).length).toBe(0)
  })

  it('changes nothing after the merchant changed the address, except for the message', async () => {
    const { clientId, sent, address } = await messaged()
    await sent()
    const { state } = (await receivables.clientOf(merchantId, clientId)) ?? {}
    if (state === undefined) throw new Error('The client is missing.')
    const details = { ...state.details, email: 'new@grace.example' }
    const act = { type: 'change-client', details, basedOn: state.version } as const
    await receivables.actOnClient(merchantId, clientId, act, testContext())
    await returned.take(Buffer.from(postfixReport({ to: address })))
    const { client, reminders } = await what(clientId)
    expect(client.map(({ type }) => type)).toEqual(['ClientChanged'])
    expect(reminders).toHaveLength(1)
  })
})

describe('a mail of the product that comes back', () => {
  it('is recorded once, in the history of its person', async () => {
    const mail = {
      kind: 'receipt',
      recipient: 'primary',
      causeId: 'event_1',
      messageId: 'event_1.primary@example.com',
    } as const
    const stream = notificationStream(merchantId)
    await commands.record({
      stream,
      event: {
        type: 'MailSent',
        data: { ...mail, to: email, attempts: 1 },
        occurredAt: clock.now().toISOString(),
      },
      context: testContext(),
    })
    const { address } = tokenFor({ kind: 'user', id: merchantId }, mail.messageId)
    const report = Buffer.from(postfixReport({ to: address, status: '5.7.1' }))
    expect([await returned.take(report), await returned.take(report)]).toEqual([
      'own-returned',
      'own-returned',
    ])
    const events = await eventsOf(stream)
    expect(events.slice(1)).toEqual([{ type: 'MailReturned', ...mail, reason: '5.7.1, SMTP 550' }])
  })

  it('can be the one with a sign-in code, to either address', async () => {
    const stream = signInStream(merchantId)
    await commands.record({
      stream,
      event: {
        type: 'CodeRequested',
        data: { email, resend: 0 },
        occurredAt: clock.now().toISOString(),
      },
      context: { ...testContext(), commandId: requestOf('code_1') },
    })
    // As the mail was sent: before its request was recorded.
    const account = { userId: merchantId, secondaryEmail: 'second@alder.example' }
    const token = codeTokenOf(account, 'second@alder.example', 'code_1', tokens)
    const address = returnAddress(bounceAddress, token)
    expect(await returned.isReturnAddress(address)).toBe(true)
    const report = Buffer.from(postfixReport({ to: address, status: '5.1.1' }))
    expect(await returned.take(report)).toBe('own-returned')
    const recorded = await codec.decodeStream(
      await store.readStream(notificationStream(merchantId)),
    )
    expect(recorded.at(-1)).toMatchObject({
      type: 'MailReturned',
      data: { kind: 'sign-in-code', recipient: 'secondary' },
    })
    const { address: strange } = tokenFor({ kind: 'user', id: merchantId }, 'another')
    expect(await returned.isReturnAddress(strange)).toBe(false)
  })
})

describe('a call with a report', () => {
  it.each([
    ['no secret', {}],
    ['a wrong secret', { authorization: 'Bearer wrong' }],
    ['the secret as another scheme', { authorization: `Basic ${secret}` }],
    ['the secret and more', { authorization: `Bearer ${secret}x` }],
  ])('is refused with %s', async (_name, headers) => {
    const { clientId, sent, address } = await messaged()
    await sent()
    const response = await post(postfixReport({ to: address }), headers)
    expect(response.status).toBe(401)
    expect(await what(clientId)).toEqual({ client: [], reminders: [] })
  })

  it.each([
    ['an automatic answer', awayAnswer(bounceAddress), 200, 'no-report'],
    ['a report of another sender', postfixReport({ to: 'me@other.example' }), 200, 'unknown-mail'],
    ['nothing', '', 400, undefined],
    ['more than 256 KB', 'a'.repeat(257 * 1_024), 413, undefined],
  ])('with %s changes nothing', async (_name, body, status, outcome) => {
    const response = await post(body)
    const answer = (await response.json()) as { outcome?: string }
    expect([response.status, answer.outcome]).toEqual([status, outcome])
  })
})

describe('the listener', () => {
  const send = (to: string, raw: string) =>
    createTransport({ host: '127.0.0.1', port: listener.port }).sendMail({
      envelope: { from: '', to },
      raw,
    })

  it('takes a report to the return address of a mail', async () => {
    const { clientId, sent, address } = await messaged()
    await sent()
    // The headers name no mail: the envelope does.
    await send(address.toUpperCase(), postfixReport({ to: 'postmaster@example.com' }))
    expect((await what(clientId)).reminders).toHaveLength(1)
  })

  it.each(['bounce@example.com', 'bounce+x@example.com', 'dana@example.com'])(
    'refuses mail to %s',
    async (to) => {
      await expect(send(to, postfixReport({ to }))).rejects.toMatchObject({ responseCode: 550 })
      expect(outcomes).toEqual([])
    },
  )

  it('refuses a report of a mail that was never sent, before it reads the mail, and many of them for a while', async () => {
    const { clientId } = await messaged()
    const { address } = tokenFor({ kind: 'client', id: clientId }, 'message_of_another')
    const codes: number[] = []
    for (let times = 0; times < 31; times += 1)
      await send(address, 'x').catch((error: { responseCode: number }) =>
        codes.push(error.responseCode),
      )
    // The tests before had some.
    expect(codes).toHaveLength(31)
    expect([codes[0], codes.at(-1)]).toEqual([550, 421])
    expect(outcomes).toEqual([])
    const { sent, address: known } = await messaged()
    await sent()
    await send(known, postfixReport({ to: known }))
    expect(outcomes).toEqual(['client-bounced'])
  }, 30_000)

  it('offers STARTTLS with a certificate, and none without', async () => {
    const { clientId, sent, address } = await messaged()
    await sent()
    const withTls = await listenForReports(
      { returned, log },
      { host: '127.0.0.1', port: 0, tls: selfSigned },
    )
    const sendTo = (port: number) =>
      createTransport({
        host: '127.0.0.1',
        port,
        requireTLS: true,
        tls: { ca: selfSigned.cert, servername: 'localhost' },
      }).sendMail({ envelope: { from: '', to: address }, raw: postfixReport({ to: address }) })
    await expect(sendTo(listener.port)).rejects.toThrow(/STARTTLS/i)
    await sendTo(withTls.port)
    expect((await what(clientId)).reminders).toHaveLength(1)
    // A mail server without TLS delivers, too.
    await createTransport({ host: '127.0.0.1', port: withTls.port, ignoreTLS: true }).sendMail({
      envelope: { from: '', to: address },
      raw: postfixReport({ to: address }),
    })
    await withTls.close()
  })

  it('refuses a mail of more than 256 KB', async () => {
    const { address } = await messaged()
    await expect(send(address, 'a\r\n'.repeat(100_000))).rejects.toMatchObject({
      responseCode: 552,
    })
  })
})

it('no address is in the log', async () => {
  const { sent, address } = await messaged()
  await sent()
  for (const action of ['failed', 'delayed'])
    await post(postfixReport({ to: address, recipient: email, action }))
  await post(postfixReport({ to: 'me@other.example', recipient: email }))
  await post('', {})
  expect(lines.join('')).toContain('client-bounced')
  expect(lines.join('')).not.toMatch(/@/)
})
