import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { ClientId, ReceivableId, UserId } from '#contracts/ids'
import { MailNotSent } from '#services/mail/mailer'
import { addDays, type Day } from '#services/finance/calendar'
import { defaultSchedule, type Schedule } from '#services/receivables/schedule/schedule'
import { inParallel } from '#services/foundation/in-parallel'
import { TextNotSent } from '#services/sms/text-sender'
import { createRandom } from '../../../scripts/billing/demo/random.ts'
import { inventClient } from '../../../scripts/billing/demo/receivables/invented-clients.ts'
import { seededRandom } from '../../../scripts/billing/demo/seeded-random.ts'
import { testContext } from '../data/test-context.ts'
import { crashingPool, Killed } from '../postgres/crashing-pool.ts'
import { newPool } from '../postgres/database.ts'
import { crashingStore } from '../event-store/crashing-store.ts'
import { day } from './reminders.ts'
import { openOf } from '#services/receivables/receivable-state'
import { endDebit, submitDebit, type BankDebit } from './bank-debit.ts'
import type { SendingSide } from './sending-side.ts'

export interface LifeSize {
  readonly merchants: number
  readonly clients: number
  readonly receivables: number
  /** From `firstDay` on. */
  readonly days: number
  readonly seed: number
}

/** Wednesday. The clocks change on November 1, 2026 and on March 14, 2027. */
const firstDay = day('2026-10-28')

/** What a life did to the servers and processes, beside the events. */
export interface Lived {
  readonly merchants: readonly UserId[]
  readonly clients: readonly { readonly clientId: ClientId; readonly merchantId: UserId }[]
  readonly crashes: number
  readonly unanswered: number
  readonly end: string
}

interface Act {
  readonly at: number
  readonly run: () => Promise<void>
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** While a server is away, all clients with something due wait: not each by itself. */
const betweenRetriesMs = 10 * 60_000
/** Writers at once, before the first day. */
const writers = 16
const msOf = (of: Day, hours = 0) => Date.parse(of) + hours * hourMs

/**
 * Merchants, clients and receivables over some months, with two processes: payments that may go
 * back, holds, promises, disputes, changed addresses, stops, reminders that are turned off, servers
 * that are away, refuse or do not answer, processes that are killed, and three days without one.
 */
export async function liveReminders(side: SendingSide, size: LifeSize): Promise<Lived> {
  const random = createRandom(seededRandom(size.seed))
  const start = msOf(firstDay)
  const end = start + size.days * dayMs
  const acts: Act[] = []
  const plan = (at: number, run: () => Promise<void>) => {
    if (at > start && at < end) acts.push({ at, run })
  }
  const anyTime = (from = start, to = end) => random.between(from, to)
  let crashes = 0
  let unanswered = 0

  const began = performance.now()
  const cpu = globalThis.process.cpuUsage()
  side.setTime(new Date(start).toISOString())
  const merchants: UserId[] = []
  for (let index = 0; index < size.merchants; index += 1) merchants.push(await newMerchant(index))
  const clients: { clientId: ClientId; merchantId: UserId }[] = []
  const newClients = Array.from({ length: size.clients }, (_, index) => inventedClient(index))
  await inParallel(writers, [...newClients.entries()], async ([index, { merchantId, add }]) => {
    clients[index] = { clientId: await add(), merchantId }
  })
  const first: (() => Promise<void>)[] = []
  for (let index = 0; index < size.receivables; index += 1) {
    const client = clients[index % clients.length]
    if (client !== undefined) planReceivable(index, client)
  }
  await inParallel(writers, first, (add) => add())
  planServers()

  acts.sort((a, b) => a.at - b.at)
  tell(`the first day, with ${acts.length} acts to come`)
  await live()
  tell('the last day')
  return { merchants, clients, crashes, unanswered, end: new Date(end).toISOString() }

  async function newMerchant(index: number): Promise<UserId> {
    const merchantId = await side.addMerchant({ isOn: index % 3 !== 0 })
    const schedules: readonly Partial<Schedule>[] = [
      {},
      { repeatLastEvery: 5, messagesPerWeek: 2 },
      { sendingDays: [1, 3, 6, 7], sendingTime: '14:30', messagesPerWeek: 7 },
      { daysOff: ['2026-11-26', '2026-12-25', '2027-01-01'], sendingTime: '07:00' },
    ]
    const { steps, ...rest } = { ...defaultSchedule, ...schedules[index % schedules.length] }
    if (index % schedules.length > 0)
      await side.actAsMerchant(merchantId, {
        type: 'change-schedule',
        schedule: { ...rest, steps: steps.map(({ since: _since, ...step }) => step) },
        timeZone: null,
        basedOn: 0,
      })
    if (index % 3 === 0)
      plan(start + 2 * dayMs, () => side.actAsMerchant(merchantId, { type: 'turn-reminders-on' }))
    const off = anyTime(start + 20 * dayMs)
    plan(off, () => side.actAsMerchant(merchantId, { type: 'turn-reminders-off' }))
    plan(off + 3 * dayMs, () => side.actAsMerchant(merchantId, { type: 'turn-reminders-on' }))
    const stopped = anyTime(start + 20 * dayMs)
    plan(stopped, () =>
      side.actAsMerchant(merchantId, { type: 'stop-sending', reason: 'A complaint' }),
    )
    plan(stopped + dayMs, () => side.actAsMerchant(merchantId, { type: 'allow-sending' }))
    return merchantId
  }

  /** How far a long run is, and what it cost. */
  function tell(reached: string): void {
    const seconds = Math.round((performance.now() - began) / 1_000)
    const { user, system } = globalThis.process.cpuUsage(cpu)
    globalThis.process.stderr.write(
      `${reached}: ${seconds} s, ${Math.round((user + system) / 1e6)} s of processor time, ${side.mails.length} mails, ${side.texts.length} texts\n`,
    )
  }

  function inventedClient(index: number) {
    const merchantId = random.pick(merchants)
    const details = inventClient(index, random)
    const isRefused = details.email !== null && random.chance(0.03)
    const email = isRefused ? `accounts-${index}@refused.example` : details.email
    const mayText = details.phone !== null && random.chance(0.6)
    // Before the first day, all clients have one.
    const clientId = () => idOf(clients[index])
    const add = () => side.addClient(merchantId, { ...details, email }, { mayText })
    if (random.chance(0.05)) plan(anyTime(), () => stop(merchantId, email))
    if (random.chance(0.05)) plan(anyTime(), () => changeAddress(merchantId, clientId(), index))
    if (random.chance(0.05)) {
      const held = anyTime()
      plan(held, () =>
        orRefused(side.actOnClient(merchantId, clientId(), hold('hold-client', null))),
      )
      plan(held + random.between(1, 30) * dayMs, () =>
        orRefused(side.actOnClient(merchantId, clientId(), { type: 'release-client' })),
      )
    }
    if (random.chance(0.02) && details.phone !== null) {
      const { phone } = details
      const stopped = anyTime()
      plan(stopped, async () => void (await side.stops.stopPhone(phone, 'text', testContext())))
      plan(
        stopped + 30 * dayMs,
        async () => void (await side.stops.resumePhone(phone, testContext())),
      )
    }
    if (random.chance(0.1)) plan(anyTime(), () => sendNow(merchantId, clientId()))
    return { merchantId, add }
  }

  function planReceivable(
    index: number,
    { clientId, merchantId }: { readonly clientId: ClientId; readonly merchantId: UserId },
  ): void {
    const due = Math.floor(random.between(-40, size.days + 10))
    const dueDate = addDays(firstDay, due)
    const amount = 1_000 + Math.floor(random.between(0, 200_000))
    let receivableId: ReceivableId | null = null
    const add = async () => {
      receivableId = await side.addInvoice(merchantId, clientId, {
        number: `N-${index}`,
        dueDate,
        amount,
      })
    }
    const addedAt = random.chance(0.5) ? start : msOf(dueDate, random.between(-400, 200))
    if (addedAt <= start) first.push(add)
    else plan(addedAt, add)
    const from = Math.max(addedAt, start)
    const act = (at: number, run: (id: ReceivableId) => Promise<void>) =>
      plan(at, async () => {
        if (receivableId !== null) await orRefused(run(receivableId))
      })
    const acted = (at: number, what: Parameters<SendingSide['act']>[2]) =>
      act(at, (id) => side.act(merchantId, id, what))

    if (random.chance(0.65)) {
      // Many pay in the very minute of the sending hour.
      const paidAt = msOf(dueDate, random.between(-120, 1_000))
      const at = random.chance(0.2) ? Math.floor(paidAt / dayMs) * dayMs + 14.5 * hourMs : paidAt
      const paid = Math.max(at, from + 1)
      const isPart = random.chance(0.1)
      act(paid, (id) => side.pay(merchantId, id, isPart ? Math.floor(amount / 3) : undefined))
      if (random.chance(0.1)) {
        const isReturned = random.chance(0.5)
        const reversed = paid + random.between(0, 25) * dayMs
        act(reversed, (id) => side.reverse(merchantId, id, isReturned))
        // Some pay again.
        if (random.chance(0.5))
          act(reversed + random.between(0, 25) * dayMs, (id) => side.pay(merchantId, id))
      }
    }
    if (random.chance(0.05)) {
      const submitted = anyTime(from)
      let debit: BankDebit | null = null
      act(submitted, async (id) => {
        const found = await side.receivables.receivableOf(merchantId, id)
        const open = found === null ? 0 : openOf(found.state)
        const amount = random.chance(0.5) ? open : Math.floor(open / 2)
        if (amount === 0) return
        debit = await submitDebit(side, { merchantId, clientId }, { receivableId: id, amount })
      })
      const how = random.chance(0.5) ? 'failed' : 'paid'
      act(submitted + random.between(1, 8) * dayMs, async () => {
        if (debit !== null) await endDebit(side, debit, how)
      })
    }
    if (random.chance(0.05)) {
      const held = anyTime(from)
      acted(held, hold('hold-reminders', random.chance(0.5) ? addDays(dueDate, 20) : null))
      acted(held + random.between(1, 25) * dayMs, { type: 'release-reminders' })
    }
    if (random.chance(0.06)) {
      const by = addDays(dueDate, Math.floor(random.between(1, 20)))
      acted(msOf(by, -random.between(24, 200)), {
        type: 'promise-payment',
        by,
        madeBy: 'merchant',
      })
    }
    if (random.chance(0.04)) {
      const disputed = anyTime(from)
      acted(disputed, {
        type: 'dispute-receivable',
        text: 'Not what we ordered',
        madeBy: 'client',
      })
      acted(disputed + random.between(1, 20) * dayMs, { type: 'resolve-dispute', outcome: null })
    }
    if (random.chance(0.04)) {
      const ended = anyTime(from)
      if (random.chance(0.5)) act(ended, (id) => side.writeOff(merchantId, id))
      else acted(ended, { type: 'cancel-receivable', reason: 'Issued in error' })
      if (random.chance(0.5))
        acted(ended + random.between(0, 25) * dayMs, {
          type: 'reopen-receivable',
          reason: 'It is owed',
        })
    }
  }

  function hold<const Type extends string>(type: Type, until: Day | null) {
    return { type, reason: 'A call', until }
  }

  async function stop(merchantId: UserId, email: string | null): Promise<void> {
    if (email !== null)
      await side.stops.stopAddress(
        merchantId,
        { channel: 'mail', address: email },
        'one-click',
        testContext(),
      )
  }

  async function changeAddress(merchantId: UserId, clientId: ClientId, index: number) {
    const found = await side.receivables.clientOf(merchantId, clientId)
    if (found === null) return
    const { details, version } = found.state
    await side.actOnClient(merchantId, clientId, {
      type: 'change-client',
      details: { ...details, email: `changed-${index}@corrected.example` },
      basedOn: version,
    })
  }

  async function sendNow(merchantId: UserId, clientId: ClientId): Promise<void> {
    const preview = await side.byHand.preview(merchantId, clientId)
    if (preview?.message == null) return
    await side.byHand.sendNow(merchantId, clientId, preview.message.key, testContext())
  }

  /** Away for a day; otherwise a few mails and texts have no answer, accepted or not. */
  function planServers(): void {
    let isAway = false
    const away = start + 15 * dayMs
    plan(away, async () => void (isAway = true))
    plan(away + dayMs, async () => void (isAway = false))
    side.answers.mail = async (mail) => {
      if (isAway) throw new MailNotSent({ code: 'ECONNREFUSED', command: 'CONN' })
      if (mail.to.endsWith('@refused.example'))
        throw new MailNotSent({ code: 'EENVELOPE', command: 'RCPT TO', responseCode: 550 })
      if (random.chance(0.01)) {
        unanswered += 1
        if (random.chance(0.5)) side.mails.push(mail)
        throw new MailNotSent({ code: 'EABORT' }, { wasReceived: true })
      }
    }
    side.answers.text = async ({ to, body }) => {
      if (random.chance(0.02)) {
        unanswered += 1
        if (random.chance(0.5))
          side.texts.push({ to, body, sid: `SM${randomUUID()}`, at: side.clock.now() })
        throw new TextNotSent({ code: 'ECONNABORTED' })
      }
      if (random.chance(0.01)) throw new TextNotSent({ status: 429, code: 20_429 })
      if (random.chance(0.005)) throw new TextNotSent({ status: 400, code: 21_610 })
    }
  }

  function killedAtAppend(pool: pg.Pool) {
    const append = 1 + Math.floor(random.between(0, 6))
    const moment = random.chance(0.5) ? 'before' : 'after'
    return side.process(crashingStore(side.store, append, moment), pool)
  }

  function killedAtStatement(pool: pg.Pool) {
    return side.process(side.store, crashingPool(pool, 1 + Math.floor(random.between(0, 80))))
  }

  /** From one moment at which something happens to the next one. */
  async function live(): Promise<void> {
    const silent = { from: start + 40 * dayMs, to: start + 43 * dayMs }
    const [firstPool, secondPool] = [side.database.pool, newPool(side.database)]
    const second = side.process(side.store, secondPool)
    let first = side.process(side.store, firstPool)
    let next = 0
    let toldDays = 0
    let waitedTo = start
    try {
      for (;;) {
        const act = acts[next]
        const isSilent = side.time.now >= silent.from && side.time.now < silent.to
        const { dueAt, isWaiting } = await side.upcoming()
        const at = Math.min(
          act?.at ?? Infinity,
          isSilent ? silent.to : (dueAt ?? Infinity),
          isWaiting && !isSilent ? waitedTo + betweenRetriesMs : Infinity,
        )
        if (at >= end) return
        for (; at >= start + (toldDays + 10) * dayMs; toldDays += 10) tell(`${toldDays + 10} days`)
        side.time.now = Math.max(side.time.now, at)
        for (let found = acts[next]; found !== undefined && found.at <= at; found = acts[next]) {
          next += 1
          await found.run()
        }
        if (side.time.now >= silent.from && side.time.now < silent.to) continue
        if (side.time.now >= waitedTo + betweenRetriesMs) {
          if (isWaiting) await side.passWaits(side.time.now - waitedTo)
          waitedTo = side.time.now
        }
        // A process that is killed at one of its next appends or statements; another one continues.
        if (random.chance(0.02)) {
          crashes += 1
          const killed = random.chance(0.5)
            ? killedAtAppend(firstPool)
            : killedAtStatement(firstPool)
          await side.sendAll(killed, second).catch((error: unknown) => {
            if (!(error instanceof Killed)) throw error
          })
          first = side.process(side.store, firstPool)
        }
        await side.sendAll(first, second)
      }
    } finally {
      await secondPool.end()
    }
  }
}

function idOf(client: { readonly clientId: ClientId } | undefined): ClientId {
  if (client === undefined) throw new Error('An act is about a client that was not added.')
  return client.clientId
}

/** Two people can act on one invoice: the second one is refused. */
async function orRefused(act: Promise<void>): Promise<void> {
  await act.catch((error: unknown) => {
    if (!(error instanceof Error) || !error.message.startsWith('{"kind"')) throw error
  })
}
