import type { DomainEvent, eventsByCategory } from '#contracts/events/catalogue'
import type { ClientEvent } from '#contracts/events/client'
import type { ClientReminderEvent } from '#contracts/events/client-reminder'
import type { MerchantEvent } from '#contracts/events/merchant'
import type { ReceivableEvent } from '#contracts/events/receivable'
import type { UsState } from '#contracts/profile-options'
import type { HandledEvent } from '#services/commands/decision-events'
import { zonesByState } from '#services/foundation/zones-by-state'
import { streamOwner } from '#services/foundation/stream-names'
import { defaultLimits, defaultSchedule } from '#services/receivables/schedule/schedule'
import type { SendingSide } from './sending-side.ts'

/*
 * What must hold of the messages of a life, computed from the log by plain loops that share no code
 * with the planner: days and hours come from Intl.
 */

type Told<Event> = HandledEvent<Event>
type MessageEvent = Told<ClientReminderEvent>

/** All that the log has about one client, in its order. */
interface ClientLog {
  readonly merchantId: string
  readonly own: Told<ClientEvent>[]
  readonly messages: MessageEvent[]
  readonly receivables: Map<string, Told<ReceivableEvent>[]>
}

export interface Checked {
  /** How many steps and messages ended so. */
  readonly counts: Readonly<Record<string, number>>
  /** What does not hold. */
  readonly faults: readonly string[]
}

const contiguous = [
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Phoenix',
  'America/Los_Angeles',
]
const merchantZone = 'America/New_York'
const minutesMs = 60_000

export async function checkReminders(side: SendingSide, end: string): Promise<Checked> {
  const clients = new Map<string, ClientLog>()
  const merchants = new Map<string, Told<MerchantEvent>[]>()
  const counts: Record<string, number> = {}
  const faults: string[] = []
  const count = (what: string, by = 1) => (counts[what] = (counts[what] ?? 0) + by)
  for await (const page of side.store.readAll(null, 1_000))
    for (const event of await side.codec.decodeStream(page)) collect(event)

  const daysOfMerchants = new Map<string, Set<string>>()
  for (const [clientId, log] of clients) checkClient(clientId, log)
  for (const [key, sent] of daysOfMerchants)
    if (sent.size > defaultLimits.later) faults.push(`${key}: ${sent.size} clients in a day`)
  checkServers()
  return { counts, faults }

  function collect(event: Told<DomainEvent>): void {
    const owner = streamOwner(event.stream)
    if (isOf(event, 'merchant')) {
      merchants.set(owner, [...(merchants.get(owner) ?? []), event])
      return
    }
    if (!isOf(event, 'clientReminder')) count(event.type)
    if (isOf(event, 'client')) logOf(event.data).own.push(event)
    else if (isOf(event, 'clientReminder')) logOf(event.data).messages.push(event)
    else if (isOf(event, 'receivable')) {
      const { receivables } = logOf(event.data)
      const { receivableId } = event.data
      const events = receivables.get(receivableId)
      if (events === undefined) receivables.set(receivableId, [event])
      else events.push(event)
    }
  }

  function logOf({ merchantId, clientId }: { merchantId: string; clientId: string }): ClientLog {
    const known = clients.get(clientId)
    if (known !== undefined) return known
    const log: ClientLog = { merchantId, own: [], messages: [], receivables: new Map() }
    clients.set(clientId, log)
    return log
  }

  function checkClient(clientId: string, log: ClientLog): void {
    const fault = (what: string) => faults.push(`${clientId}: ${what}`)
    const added = log.own.find((event) => event.type === 'ClientAdded')
    if (added?.type !== 'ClientAdded') return void fault('has no beginning')
    const { state } = added.data.details
    const zones: readonly string[] =
      state === null ? contiguous : (zonesByState[state as UsState] ?? contiguous)
    const zone = state === null ? merchantZone : (zones[0] ?? merchantZone)
    const ended = new Map<string, string>()
    const told = new Set<string>()
    const days: string[] = []
    const due = new Map<string, Extract<MessageEvent, { type: 'MessageDue' }>>()

    const end_ = (
      {
        receivableId,
        stepId,
        repetition,
      }: { receivableId: string; stepId: string; repetition: number },
      how: string,
    ) => {
      const key = `${receivableId} ${stepId} ${repetition}`
      if (ended.has(key)) fault(`${key} ends twice: ${ended.get(key) ?? ''}, ${how}`)
      ended.set(key, how)
      count(`step ${how}`)
    }

    for (const event of log.messages)
      switch (event.type) {
        case 'MessageDue':
          due.set(event.data.messageId, event)
          break
        case 'MessageSent':
        case 'MessageUnknown': {
          const message = due.get(event.data.messageId)
          if (message === undefined) {
            fault(`${event.type} without MessageDue`)
            break
          }
          const how = event.type === 'MessageSent' ? 'sent' : 'skipped: unknown'
          for (const step of message.data.steps) end_(step, how)
          for (const step of message.data.replaced) end_(step, 'replaced')
          count(`${message.data.channel} ${event.type === 'MessageSent' ? 'sent' : 'unknown'}`)
          if (message.data.cause === 'by-hand') count('sent by hand')
          checkMessage(message, event.metadata.occurredAt)
          break
        }
        case 'MessageNotSent':
          count(`${event.data.channel} not sent: ${event.data.why}`)
          break
        case 'StepsSkipped':
          for (const step of event.data.steps) end_(step, `skipped: ${event.data.why.kind}`)
          break
        case 'MessageRepeated':
          count('mail repeated')
          break
        case 'MessageReturned':
        case 'ThanksSent':
        case 'ThanksNotSent':
        case 'UnknownMessageSettled':
          break
      }
    checkEnded(log, ended, zone, fault)

    function checkMessage(
      { data, metadata }: Extract<MessageEvent, { type: 'MessageDue' }>,
      sentAt: string,
    ): void {
      const { channel, steps, day, tone, cause, messageId } = data
      const local = clockIn(zone, metadata.occurredAt)
      const { schedule, isOnAt } = merchantAt(log.merchantId, metadata.occurredAt)
      if (local.day !== day) fault(`${messageId} is of ${day}, sent on ${local.day}`)
      if (days.includes(day)) fault(`two messages on ${day}`)
      days.push(day)
      const week = days.filter((each) => daysFrom(each, day) >= 0 && daysFrom(each, day) < 7)
      if (week.length > schedule.messagesPerWeek) fault(`${week.length} messages in 7 days`)
      const key = `${log.merchantId} ${clockIn(merchantZone, metadata.occurredAt).day}`
      const ofDay = daysOfMerchants.get(key) ?? new Set()
      daysOfMerchants.set(key, ofDay.add(clientId))
      if (cause === 'schedule') {
        if (!isOnAt) fault(`${messageId} went out while reminders were off`)
        if (!schedule.sendingDays.includes(local.weekday)) fault(`${day} is no sending day`)
        if (schedule.daysOff.includes(day)) fault(`${day} is a day off`)
        if (channel === 'mail' && (local.time < schedule.sendingTime || local.time >= '18:00'))
          fault(`a mail at ${local.time}`)
      }
      if (channel === 'text')
        for (const each of zones) {
          const { time } = clockIn(each, metadata.occurredAt)
          if (time < '08:00' || time >= '20:00') fault(`a text at ${time} of ${each}`)
        }
      for (const step of steps) {
        const events = log.receivables.get(step.receivableId) ?? []
        // 5 s after a payment nothing about it goes out, unless the payment went back.
        const seen = new Date(Date.parse(sentAt) - 5_000).toISOString()
        if (!wasOwed(events, seen, sentAt))
          fault(`${messageId} is about ${step.receivableId}, paid`)
        const reopened = clockIn(zone, reopenedAt(events, metadata.occurredAt))
        if (cause === 'schedule' && reopened.day === day && reopened.time > schedule.sendingTime)
          fault(`${step.receivableId} was owed again today, after the sending hour`)
        if (pausedAt(events, metadata.occurredAt)) fault(`${step.receivableId} is paused`)
        if (payingAt(log.own, step.receivableId, metadata.occurredAt))
          fault(`a payment of ${step.receivableId} is on its way`)
        if (step.delays.length === 0 && cause === 'schedule' && step.dueDay !== day)
          fault(`a step of ${step.dueDay} went out on ${day} without a reason`)
      }
      if (tone === 'final' && steps.some(({ receivableId }) => !told.has(receivableId)))
        fault('the first message is final')
      for (const { receivableId } of steps) told.add(receivableId)
    }
  }

  /** A step whose day passed long ago has ended, unless something keeps it back to the end. */
  function checkEnded(
    { merchantId, own, receivables }: ClientLog,
    ended: ReadonlyMap<string, string>,
    zone: string,
    fault: (what: string) => void,
  ): void {
    const { schedule } = merchantAt(merchantId, end)
    const today = clockIn(zone, end).day
    for (const [receivableId, events] of receivables) {
      const [first] = events
      if (first?.type !== 'ReceivableAdded') continue
      const isOwed = openAt(events, end) > 0
      if (!isOwed || pausedAt(events, end) || payingAt(own, receivableId, end)) continue
      const addedOn = clockIn(zone, first.metadata.occurredAt).day
      for (const { stepId, offset } of schedule.steps) {
        const dueDay = plusDays(first.data.details.dueDate, offset)
        if (daysFrom(dueDay, today) < 30 || daysFrom(addedOn, today) < 30) continue
        if (!ended.has(`${receivableId} ${stepId} 0`))
          fault(`the step of ${dueDay} of ${receivableId} has no end`)
      }
    }
  }

  /** What the mail server and Twilio accepted is what the log has. */
  function checkServers(): void {
    const known = new Set<string>()
    for (const { messages } of clients.values())
      for (const event of messages) if (event.type === 'MessageDue') known.add(event.data.messageId)
    const accepted = new Map<string, number>()
    for (const { messageId = '' } of side.mails) {
      const id = messageId.replace(/@.*/, '')
      if (!known.has(id)) faults.push(`the mail ${id} is not in the log`)
      accepted.set(id, (accepted.get(id) ?? 0) + 1)
    }
    for (const [id, times] of accepted) {
      if (times > 2) faults.push(`the mail ${id} was accepted ${times} times`)
      if (times === 2) count('mail accepted twice, with one Message-ID')
    }
    // Each text that Twilio accepted is one message of the log: sent, or unknown.
    const sent = new Set<string>()
    let unknown = 0
    for (const { messages } of clients.values())
      for (const { type, data } of messages) {
        if (type === 'MessageUnknown' && data.channel === 'text') unknown += 1
        if (type !== 'MessageSent' || data.channel !== 'text') continue
        if (data.providerId === null || sent.has(data.providerId))
          faults.push(`two messages are the text ${data.providerId ?? 'without an id'}`)
        sent.add(data.providerId ?? '')
      }
    const others = side.texts.filter(({ sid }) => !sent.has(sid))
    if (others.length > unknown)
      faults.push(`${others.length} texts are in no message: ${others[0]?.to ?? ''}`)
  }

  function merchantAt(merchantId: string, at: string) {
    let schedule = defaultSchedule
    let isOn = false
    let isStopped = false
    for (const event of merchants.get(merchantId) ?? []) {
      if (event.metadata.occurredAt > at) continue
      if (event.type === 'ScheduleChanged') schedule = event.data
      if (event.type === 'RemindersTurnedOn') isOn = true
      if (event.type === 'RemindersTurnedOff') isOn = false
      if (event.type === 'SendingStopped') isStopped = true
      if (event.type === 'SendingAllowed') isStopped = false
    }
    return { schedule, isOnAt: isOn && !isStopped }
  }
}

function openAt(events: readonly Told<ReceivableEvent>[], at: string): number {
  let open = 0
  for (const { type, data, metadata } of events) {
    if (metadata.occurredAt > at) continue
    if (type === 'ReceivableAdded') open += data.details.amount
    if (type === 'ReceivableChanged') open += data.after.amount - data.before.amount
    if (type === 'PaymentRecorded') open -= data.applied
    if (type === 'PaymentReversed') open += data.applied
    if (type === 'CreditMemoIssued') open -= data.amount
    if (type === 'ReceivableWrittenOff' || type === 'ReceivableCanceled') open -= data.amount
    if (type === 'ReceivableReopened') open += data.amount
  }
  return open
}

function wasOwed(events: readonly Told<ReceivableEvent>[], from: string, to: string): boolean {
  const changes = events
    .map(({ metadata }) => metadata.occurredAt)
    .filter((at) => at > from && at <= to)
  return [from, ...changes].some((at) => openAt(events, at) > 0)
}

/** When a settled receivable became owed again for the last time. The epoch: it never did. */
function reopenedAt(events: readonly Told<ReceivableEvent>[], before: string): string {
  const times = events.map(({ metadata }) => metadata.occurredAt).filter((at) => at <= before)
  const found = times.findLast((at, index) => {
    const former = times[index - 1]
    return former !== undefined && openAt(events, former) <= 0 && openAt(events, at) > 0
  })
  return found ?? new Date(0).toISOString()
}

function pausedAt(events: readonly Told<ReceivableEvent>[], at: string): boolean {
  let until: string | null | undefined
  let promised: string | null = null
  let isDisputed = false
  for (const { type, data, metadata } of events) {
    if (metadata.occurredAt > at) continue
    if (type === 'RemindersHeld') until = data.until
    if (type === 'RemindersReleased') until = undefined
    if (type === 'PaymentPromised') promised = data.by
    if (type === 'PromiseWithdrawn') promised = null
    if (type === 'ReceivableDisputed') isDisputed = true
    if (type === 'DisputeResolved') isDisputed = false
  }
  const today = clockIn(merchantZone, at).day
  const isHeld = until === null || (until !== undefined && until > today)
  return isDisputed || isHeld || (promised !== null && promised >= today)
}

/** A checkout that has the receivable was submitted, and neither failed nor was it paid. */
function payingAt(events: readonly Told<ClientEvent>[], receivableId: string, at: string): boolean {
  const checkouts = new Set<string>()
  const submitted = new Set<string>()
  for (const { type, data, metadata } of events) {
    if (metadata.occurredAt > at) continue
    if (type === 'ClientCheckoutStarted')
      if (data.items.some((item) => item.receivableId === receivableId))
        checkouts.add(data.checkoutId)
    if (type === 'ClientCheckoutSubmitted') submitted.add(data.checkoutId)
    if (type === 'ClientCheckoutClosed' || type === 'ClientPaymentReceived')
      submitted.delete(data.checkoutId)
  }
  return [...submitted].some((each) => checkouts.has(each))
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Day, time and ISO weekday of a place. */
function clockIn(timeZone: string, at: string) {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-CA', {
      timeZone,
      dateStyle: 'short',
      timeStyle: 'short',
      hourCycle: 'h23',
    })
  formats.set(timeZone, format)
  const [day = '', time = ''] = format.format(new Date(at)).split(', ')
  return { day, time, weekday: new Date(`${day}T00:00:00Z`).getUTCDay() || 7 }
}

function daysFrom(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / (24 * 60 * minutesMs)
}

function plusDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 24 * 60 * minutesMs).toISOString().slice(0, 10)
}

function isOf<Category extends keyof typeof eventsByCategory>(
  event: Told<DomainEvent>,
  category: Category,
): event is Told<
  Extract<DomainEvent, { type: keyof (typeof eventsByCategory)[Category] & string }>
> {
  return event.stream.startsWith(`${category}-`)
}
