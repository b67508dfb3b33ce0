import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import pino from 'pino'
import type { ClientDetails } from '#contracts/events/client'
import type { ReceivableDetails } from '#contracts/events/receivable'
import type { ClientId, ReceivableId, UserId } from '#contracts/ids'
import { createCommandHandler } from '#services/commands/handle-command'
import { createStreamCache } from '#services/commands/stream-cache'
import { createCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import type { EventStore, Position } from '#services/event-store/event-store'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { randomIds } from '#services/foundation/ids'
import {
  clientReminderStream,
  merchantStream,
  receivableStream,
} from '#services/foundation/stream-names'
import type { Mail } from '#services/mail/mailer'
import type { ClientAct, ReceivableAct } from '#services/receivables/follow-up'
import type { Merchant } from '#services/receivables/merchant-access'
import { merchantDecider, type MerchantCommand } from '#services/receivables/merchant-decider'
import { createPortalTokens } from '#services/receivables/portal/portal-tokens'
import { openOf } from '#services/receivables/receivable-state'
import { createReceivables } from '#services/receivables/receivables-service'
import { agendaReactor } from '#services/receivables/sending/agenda'
import { thanksReactor } from '#services/receivables/sending/thanks-reactor'
import { createComingMessages } from '#services/receivables/sending/coming-messages'
import { othersDue } from '#services/receivables/sending/others-due'
import { createByHand } from '#services/receivables/sending/by-hand'
import { createChannelOutages } from '#services/receivables/sending/channel-outages'
import { createSenders } from '#services/receivables/sending/senders'
import { sendRound, type SendingParts } from '#services/receivables/sending/start-sending'
import type { TextSender } from '#services/sms/text-sender'
// Before the product imports it in two places at once, which jest cannot link.
import '#services/sms/text-number'
import { createSendingSide as createSide } from '#services/start/create-sending-side'
import { testContext } from '../data/test-context.ts'
import { macKey } from '../event-store/mac-key.ts'
import { rememberingCodec } from '../event-store/remembering-codec.ts'
import { createTestDatabase, type TestDatabase } from '../postgres/database.ts'
import { mailSideKey } from '../product/mail-side-key.ts'
import { newYork } from './reminders.ts'
import { testReturnTokens } from '../mail/return-tokens.ts'
import { testStops } from './test-stops.ts'

type Act<Command = MerchantCommand> = Command extends unknown ? Omit<Command, 'at'> : never

/** Monday at 8:00 in New York. */
export const monday = '2026-11-02T13:00:00.000Z'

const grace: ClientDetails = {
  name: 'Grace Whitaker',
  number: null,
  email: 'grace@whitaker.example',
  phone: '+12185550147',
  state: 'New York',
  timeZone: null,
  note: null,
}

/**
 * The sending of messages over a new database. The tests give the mail server, Twilio and the time;
 * no process runs in the background: `sendAll` reads the log and keeps what is due.
 */
export async function createSendingSide({
  at = monday,
  database: given,
  masterKey = mailSideKey,
  isLong = false,
}: {
  readonly at?: string
  /** Default: a new one on the server of the test run. */
  readonly database?: TestDatabase
  readonly masterKey?: Buffer
  /** A simulation that erases no personal data: each event and key is decrypted once. */
  readonly isLong?: boolean
} = {}) {
  const database = given ?? (await createTestDatabase())
  const { pool } = database
  const log = createPostgresEventStore({ connectionString: database.connectionString })
  let appends = 0
  const store: EventStore = {
    ...log,
    append: (...event) => log.append(...event).finally(() => (appends += 1)),
  }
  const keys = createPersonalKeys(pool, masterKey, isLong ? { cacheFor: 24 * 3_600_000 } : {})
  const codec = isLong ? rememberingCodec(createCodec(keys)) : createCodec(keys)
  const time = { now: Date.parse(at) }
  const clock = { now: () => new Date(time.now) }
  const merchants = new Map<UserId, Merchant>()
  const merchantOf = async (merchantId: UserId) => {
    const merchant = merchants.get(merchantId)
    if (merchant === undefined) throw new Error(`There is no merchant ${merchantId}.`)
    return merchant
  }
  const mails: Mail[] = []
  const texts: { to: string; body: string; sid: string; at: Date }[] = []
  /** What the servers do before they accept a message. */
  const answers = {
    mail: async (_mail: Mail): Promise<void> => undefined,
    text: async (_text: { to: string; body: string }): Promise<void> => undefined,
    list: async (): Promise<void> => undefined,
  }
  const twilio: TextSender = {
    async send({ to, body }) {
      await answers.text({ to, body })
      const sid = `SM${texts.length}`
      texts.push({ to, body, sid, at: clock.now() })
      return { sid }
    },
    async find({ to, including, since }) {
      await answers.list()
      return (
        texts.findLast(
          (text) => text.to === to && text.body.includes(including) && text.at >= since,
        ) ?? null
      )
    },
  }

  /** A process: on the store and the pool of the side, or on ones that fail. */
  function process(ofStore: EventStore = store, ofPool: pg.Pool = pool) {
    const commands = createCommandHandler({
      store: ofStore,
      codec,
      clock,
      macKey,
      cache: createStreamCache({ keys }),
    })
    const receivables = createReceivables({
      commands,
      keys,
      clock,
      isErased: () => Promise.resolve(false),
      defaultTimeZone: () => Promise.resolve(newYork),
    })
    const stops = testStops({ commands, clock })
    const side = createSide({
      pool: ofPool,
      commands,
      receivables,
      merchantOf,
      stops,
      tokens: createPortalTokens([Buffer.alloc(32, 7)]),
      publicUrl: 'http://localhost:3000',
      textCountries: new Set(['US']),
      clock,
    })
    const parts: SendingParts = {
      ...side,
      senders: createSenders({
        mailer: {
          async send(mail) {
            await answers.mail(mail)
            mails.push(mail)
          },
        },
        texts: twilio,
        mailDomain: 'example.com',
        returnTokens: testReturnTokens,
      }),
      outages: createChannelOutages(() => time.now),
      pool: ofPool,
      commands,
      receivables,
      stops,
      clock,
      log: pino({ level: 'silent' }),
    }
    return {
      ...parts,
      receivables,
      stops,
      byHand: createByHand(parts),
      thanks: thanksReactor(parts),
    }
  }

  const own = process()
  const { receivables, commands, stops, byHand } = own
  const messagesOf = createComingMessages({
    known: own.known,
    othersDue: (of, times) => othersDue(pool, of, times),
    clock,
  })
  const agenda = agendaReactor({ clock })
  let position: Position | null = null
  let readAppends = -1

  /** Reads the log on, as the agenda of a running product does. */
  async function readLog(): Promise<void> {
    if (isLong && readAppends === appends) return
    readAppends = appends
    for await (const page of store.readAll(position)) {
      const handled = page.filter(({ type }) => agenda.handles.has(type))
      await agenda.options.fold?.choose(pool, handled, 'log')
      position = page.at(-1)?.position ?? position
    }
  }

  async function actAsMerchant(merchantId: UserId, act: Act): Promise<void> {
    const handled = await commands.handle({
      decider: merchantDecider,
      stream: merchantStream(merchantId),
      command: { ...act, at: clock.now().toISOString() },
      context: testContext(),
    })
    if (handled.kind === 'refused')
      throw new Error(`${act.type}: ${JSON.stringify(handled.refusal)}`)
  }

  return {
    database,
    store,
    codec,
    clock,
    time,
    keys,
    merchants,
    mails,
    texts,
    answers,
    process,
    receivables,
    stops,
    byHand,
    known: own.known,
    messagesOf,
    readLog,
    actAsMerchant,
    /** At `HH:MM` of New York on a day. */
    setTime(instant: string): void {
      time.now = Date.parse(instant)
    },

    /** A merchant with a plan. Its reminders are on by default. */
    async addMerchant({
      isOn = true,
      merchantId = randomIds.userId(),
    }: { readonly isOn?: boolean; readonly merchantId?: UserId } = {}): Promise<UserId> {
      merchants.set(merchantId, {
        isBlocked: false,
        plan: 'usable',
        feeBasisPoints: 500,
        companyName: 'Alder Dental',
        isErased: false,
        email: 'billing@alder.example',
        phone: null,
        address: ['1 Main St', 'Duluth, Minnesota 55802'],
      })
      if (isOn) await actAsMerchant(merchantId, { type: 'turn-reminders-on' })
      return merchantId
    },

    async addClient(
      merchantId: UserId,
      details: Partial<ClientDetails> = {},
      { mayText = false }: { readonly mayText?: boolean } = {},
    ): Promise<ClientId> {
      const { clientId } = await receivables.addClient(
        merchantId,
        { ...grace, ...details },
        testContext(),
      )
      if (mayText)
        await this.actOnClient(merchantId, clientId, {
          type: 'record-text-consent',
          source: 'A form',
          date: (await receivables.calendarOf(merchantId)).today,
        })
      return clientId
    },

    async addInvoice(
      merchantId: UserId,
      clientId: ClientId,
      details: Partial<ReceivableDetails> & { readonly dueDate: string; readonly number?: string },
    ): Promise<ReceivableId> {
      const { number = `AD-${randomUUID().slice(0, 8)}`, ...rest } = details
      const done = await receivables.addReceivable(
        merchantId,
        {
          clientId,
          number,
          currency: 'usd',
          details: { issueDate: null, amount: 124_000, reference: null, url: null, ...rest },
        },
        testContext(),
      )
      if (done.kind === 'refused') throw new Error(JSON.stringify(done.refusal))
      return done.receivableId
    },

    /** Pays all that is open of an invoice, or at most `max`. */
    async pay(merchantId: UserId, receivableId: ReceivableId, max = Infinity): Promise<void> {
      const { today } = await receivables.calendarOf(merchantId)
      const found = await receivables.receivableOf(merchantId, receivableId)
      const open = found === null ? 0 : openOf(found.state)
      if (open <= 0) return
      await this.act(merchantId, receivableId, {
        type: 'record-payment',
        payment: {
          paymentId: `payment_${randomUUID()}`,
          date: today,
          amount: Math.min(open, max),
          method: 'check',
          note: null,
        },
        openSeen: open,
        surplusBecomesCredit: false,
        isEstimated: false,
      })
    },

    /** The last payment of an invoice went back, or was recorded in error. */
    async reverse(merchantId: UserId, receivableId: ReceivableId, isReturned: boolean) {
      const { today } = await receivables.calendarOf(merchantId)
      const found = await receivables.receivableOf(merchantId, receivableId)
      const last = [...(found?.state.payments ?? [])].findLast(
        ([, { reversed }]) => reversed === null,
      )
      if (last === undefined) return
      const [paymentId] = last
      await this.act(merchantId, receivableId, {
        type: 'reverse-payment',
        paymentId,
        why: isReturned ? 'returned' : 'recorded-in-error',
        date: today,
        note: null,
        creditIsCanceled: false,
      })
    },

    /** Writes off all that is open of an invoice. */
    async writeOff(merchantId: UserId, receivableId: ReceivableId): Promise<void> {
      const found = await receivables.receivableOf(merchantId, receivableId)
      await this.act(merchantId, receivableId, {
        type: 'write-off-receivable',
        reason: 'It cannot be collected',
        openSeen: found === null ? 0 : openOf(found.state),
      })
    },

    /** The thanks for each payment of an invoice, as the reactor sends them. */
    async thank(receivableId: ReceivableId, attempt = 1): Promise<void> {
      const events = await codec.decodeStream(
        await store.readStream(receivableStream(receivableId)),
      )
      for (const event of events)
        if (own.thanks.handles.has(event.type)) await own.thanks.effect(event, attempt)
    },

    async act(merchantId: UserId, receivableId: ReceivableId, act: ReceivableAct): Promise<void> {
      const done = await receivables.actOnReceivable(merchantId, receivableId, act, testContext())
      if (done.kind === 'refused') throw new Error(JSON.stringify(done.refusal))
    },

    async actOnClient(merchantId: UserId, clientId: ClientId, act: ClientAct): Promise<void> {
      const done = await receivables.actOnClient(merchantId, clientId, act, testContext())
      if (done.kind === 'refused') throw new Error(JSON.stringify(done.refusal))
    },

    /** Reads the log and keeps what is due, until nothing is. Processes do so at the same time. */
    async sendAll(...sending: readonly SendingParts[]): Promise<void> {
      const processes = sending.length === 0 ? [own] : sending
      const isMore = async (): Promise<boolean> => {
        await readLog()
        const rounds = await Promise.allSettled(processes.map((each) => sendRound(each)))
        const failed = rounds.find((round) => round.status === 'rejected')
        if (failed !== undefined) throw failed.reason
        return rounds.some((round) => round.status === 'fulfilled' && round.value)
      }
      while (await isMore());
    },

    /** As if the time until the next try had passed. */
    async endWaits(): Promise<void> {
      await pool.query('UPDATE app.client_appointment SET next_attempt_at = now()')
    },

    /** As if so much time had passed: the waits have the clock of the server. */
    async passWaits(ms: number): Promise<void> {
      await pool.query(
        `UPDATE app.client_appointment
         SET next_attempt_at = next_attempt_at - make_interval(secs => $1::float8 / 1000)
         WHERE next_attempt_at > now()`,
        [ms],
      )
    },

    /**
     * The next appointment that waits for no further try, in milliseconds, and whether a client
     * waits for one.
     */
    async upcoming(): Promise<{ readonly dueAt: number | null; readonly isWaiting: boolean }> {
      const { rows } = await pool.query<{ due: Date | null; is_waiting: boolean | null }>(
        `SELECT min(due_at) FILTER (WHERE next_attempt_at <= now()) AS due,
           bool_or(next_attempt_at > now()) AS is_waiting FROM app.client_appointment`,
      )
      const [row] = rows
      return { dueAt: row?.due?.getTime() ?? null, isWaiting: row?.is_waiting ?? false }
    },

    /** What is recorded about the messages to a client. */
    async eventsOf(clientId: ClientId) {
      const stored = await store.readStream(clientReminderStream(clientId))
      return codec.decodeStream(stored)
    },

    async typesOf(clientId: ClientId): Promise<readonly string[]> {
      return (await this.eventsOf(clientId)).map(({ type }) => type)
    },

    async dueAt(clientId: ClientId): Promise<Date | null> {
      const { rows } = await pool.query<{ due_at: Date | null }>(
        'SELECT due_at FROM app.client_appointment WHERE client_id = $1',
        [clientId],
      )
      return rows[0]?.due_at ?? null
    },

    async close() {
      await store.close()
      await database.drop()
    },
  }
}

export type SendingSide = Awaited<ReturnType<typeof createSendingSide>>
