import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { BillingEvent } from '#contracts/events/billing'
import type { StreamCategory } from '#contracts/events/catalogue'
import { parseUserId } from '#contracts/ids'
import { accountDecider } from '#services/accounts/account-decider'
import { controlDecider } from '#services/controls/control-decider'
import { enquiryDecider } from '#services/enquiries/enquiry-decider'
import { billingDecider, type BillingCommand } from '#services/billing/billing-decider'
import { isSecondSubscriptionBlocked } from '#services/billing/billing-state'
import { dunningDecider, nextReminderAt } from '#services/notifications/dunning/dunning-decider'
import { nextDateAt, reminderDecider } from '#services/notifications/reminders/reminder-decider'
import type { Decided, Decider } from '#services/foundation/decider'
import {
  arbitraryAccountCommand,
  arbitraryBillingCommand,
  arbitraryControlCommand,
  arbitraryDunningCommand,
  arbitraryEnquiryCommand,
  arbitraryReminderCommand,
} from '../support/data/arbitrary-commands.ts'

/** Decides the commands in order. Returns the events of the stream and their folded state. */
function run<State, Command, Event extends { readonly type: string }, Refusal>(
  decider: Decider<StreamCategory, State, Command, Event, Refusal>,
  commands: readonly Command[],
) {
  const events: Decided<Event>[] = []
  let state = decider.initialState
  for (const command of commands) {
    const decision = decider.decide(command, state)
    if (decision.kind === 'refused') continue
    events.push(...decision.events)
    state = decision.events.reduce(decider.evolve, state)
  }
  return { events, state }
}

/** Each accepted billing command with its events, and the states before and after it. */
function stepsOf(commands: readonly BillingCommand[]) {
  let state = billingDecider.initialState
  return commands.flatMap((command) => {
    const decision = billingDecider.decide(command, state)
    if (decision.kind === 'refused') return []
    const before = state
    state = decision.events.reduce(billingDecider.evolve, state)
    return [{ command, events: decision.events, state: before, stateAfter: state }]
  })
}

const typesOf = (events: readonly { readonly type: string }[]) => events.map(({ type }) => type)
const countOf = (events: readonly { readonly type: string }[], type: string) =>
  events.filter((event) => event.type === type).length

describe('after any sequence of commands, an account', () => {
  const histories = fc.array(arbitraryAccountCommand(parseUserId('usr_1')), { maxLength: 25 })

  it('is opened once and first, erased at most once, and verified by a recorded code', () => {
    fc.assert(
      fc.property(histories, (commands) => {
        const { events, state } = run(accountDecider, commands)
        const types = typesOf(events)
        if (types.length > 0) expect(types[0]).toBe('AccountOpened')
        for (const once of ['AccountOpened', 'PersonalDataErased'])
          expect(countOf(events, once)).toBeLessThanOrEqual(1)
        if (types.includes('ProfileUpdated'))
          expect(types.indexOf('ProfileUpdated')).toBeGreaterThan(
            types.indexOf('CompanyProfileCompleted'),
          )
        expect(state.kind === 'unopened').toBe(types.length === 0)
        if (state.kind === 'open') {
          expect(state.isVerified).toBe(types.includes('EmailVerified'))
          expect(state.isBlocked).toBe(
            types.lastIndexOf('AccountBlocked') > types.lastIndexOf('AccountUnblocked'),
          )
          expect(state.profile !== null).toBe(
            types.lastIndexOf('CompanyProfileCompleted') > types.lastIndexOf('ProfileDiscarded'),
          )
        }
      }),
    )
  })

  it('records nothing after its erasure', () => {
    fc.assert(
      fc.property(histories, (commands) => {
        const types = typesOf(run(accountDecider, commands).events)
        const erased = types.indexOf('PersonalDataErased')
        if (erased !== -1) expect(erased).toBe(types.length - 1)
      }),
    )
  })

  it('alternates blocks and unblocks, beginning with a block', () => {
    fc.assert(
      fc.property(histories, (commands) => {
        const types = typesOf(run(accountDecider, commands).events)
        for (const [index, type] of types.filter((each) => each.endsWith('locked')).entries())
          expect(type).toBe(index % 2 === 0 ? 'AccountBlocked' : 'AccountUnblocked')
      }),
    )
  })

  it('never records two equal profiles in a row, unless the first one was discarded', () => {
    fc.assert(
      fc.property(histories, (commands) => {
        let last: string | null = null
        for (const { type, data } of run(accountDecider, commands).events) {
          if (type === 'ProfileDiscarded') last = null
          if (type !== 'CompanyProfileCompleted' && type !== 'ProfileUpdated') continue
          expect(data.companyName).not.toBe(last)
          last = data.companyName
        }
      }),
    )
  })
})

describe('after any sequence of commands, a billing stream', () => {
  const histories = fc.array(arbitraryBillingCommand('usr_1'), { maxLength: 25 })
  const of = <Type extends BillingEvent['type']>(events: readonly BillingEvent[], type: Type) =>
    events.filter((event): event is Extract<BillingEvent, { type: Type }> => event.type === type)

  /** These events can precede their subscription. */
  const isAboutMoney = /^(UnpaidInvoice|Payment|Invoice|Refund|CreditNote|Dispute)/
  const closings = ['CheckoutCompleted', 'CheckoutExpired', 'CheckoutFailed']

  it('has at most one open checkout, starts each checkout once and closes it once', () => {
    fc.assert(
      fc.property(histories, (commands) => {
        let open: string | null = null
        const started = new Set<string>()
        for (const event of run(billingDecider, commands).events) {
          if (event.type === 'CheckoutStarted') {
            expect(open).toBeNull()
            open = event.data.checkoutId
            expect(started.has(open)).toBe(false)
            started.add(open)
          }
          if (closings.includes(event.type) && 'checkoutId' in event.data) {
            expect(event.data.checkoutId).toBe(open)
            open = null
          }
        }
      }),
    )
  })

  it('starts no checkout beside a live subscription or an open session of another checkout', () => {
    fc.assert(
      fc.property(histories, (commands) => {
        for (const { command, events, state, stateAfter } of stepsOf(commands)) {
          events.forEach((event, index) => {
            if (event.type !== 'CheckoutStarted' || command.type !== 'start-checkout') return
            const before = events.slice(0, index).reduce(billingDecider.evolve, state)
            expect(isSecondSubscriptionBlocked(before)).toBe(false)
            const open = command.providerState.checkouts.filter(({ status }) => status === 'open')
            expect(open.filter(({ checkoutId }) => checkoutId !== event.data.checkoutId)).toEqual(
              [],
            )
            expect(stateAfter.openCheckout?.checkoutId).toBe(event.data.checkoutId)
          })
        }
      }),
    )
  })

  it('closes a checkout with a session only after the provider closed this session', () => {
    fc.assert(
      fc.property(histories, (commands) => {
        for (const { command, events, state } of stepsOf(commands)) {
          const { openCheckout: open } = state
          if (open === null || open.session === null) continue
          const { sessionRef } = open.session
          if (!events.some(({ type }) => closings.includes(type))) continue
          if (command.type === 'expire-checkout' || command.type === 'fail-checkout') {
            expect(command.sessionRef).toBe(sessionRef)
            continue
          }
          const seen = 'providerState' in command ? command.providerState.checkouts : []
          const isClosedThere = seen.some(
            (each) =>
              each.checkoutId === open.checkoutId &&
              (each.status === 'complete' ||
                (each.status === 'expired' && each.sessionRef === sessionRef)),
          )
          expect(isClosedThere).toBe(true)
        }
      }),
    )
  })

  it('starts each subscription once before its other events, and ends it once after them', () => {
    fc.assert(
      fc.property(histories, (commands) => {
        const { events, state } = run(billingDecider, commands)
        for (const [id, subscription] of state.subscriptions) {
          const about = typesOf(
            events.filter(
              ({ type, data }) =>
                !isAboutMoney.test(type) && 'subscriptionId' in data && data.subscriptionId === id,
            ),
          )
          expect(about.lastIndexOf('SubscriptionStarted')).toBe(0)
          expect(subscription.kind === 'ended').toBe(about.includes('SubscriptionEnded'))
          if (subscription.kind === 'ended')
            expect(about.indexOf('SubscriptionEnded')).toBe(about.length - 1)
        }
      }),
    )
  })

  it('moves a paid period back only by a plan change, and changes a status only to a different status', () => {
    fc.assert(
      fc.property(histories, (commands) => {
        const { events } = run(billingDecider, commands)
        const ends = new Map<string, string>()
        for (const event of events) {
          if (
            event.type !== 'SubscriptionStarted' &&
            event.type !== 'SubscriptionRenewed' &&
            event.type !== 'PlanChanged'
          )
            continue
          const { subscriptionId, currentPeriodEnd } = event.data
          // Another interval begins a new period, which can end earlier.
          if (event.type !== 'PlanChanged')
            expect(currentPeriodEnd > (ends.get(subscriptionId) ?? '')).toBe(true)
          ends.set(subscriptionId, currentPeriodEnd)
        }
        for (const { data } of of(events, 'SubscriptionStatusChanged'))
          expect(data.from).not.toBe(data.to)
      }),
    )
  })

  it('pays an invoice once, and records failed attempts once, in order and only before the payment', () => {
    fc.assert(
      fc.property(histories, (commands) => {
        const { events, state } = run(billingDecider, commands)
        for (const [invoiceRef, outcome] of state.invoices) {
          const about = events.filter(
            (event) =>
              (event.type === 'PaymentSucceeded' || event.type === 'PaymentFailed') &&
              event.data.invoiceRef === invoiceRef,
          )
          const attempts = of(about, 'PaymentFailed').map(({ data }) => data.attempt)
          expect(attempts).toEqual([...new Set(attempts)].sort((a, b) => a - b))
          expect(countOf(about, 'PaymentSucceeded')).toBe(outcome.kind === 'paid' ? 1 : 0)
          if (outcome.kind === 'paid') expect(about.at(-1)?.type).toBe('PaymentSucceeded')
        }
      }),
    )
  })
})

describe('after any sequence of commands, an enquiry', () => {
  const histories = fc.array(arbitraryEnquiryCommand(), { maxLength: 20 })

  it('is submitted once and first, erased at most once, and each status differs from the last', () => {
    fc.assert(
      fc.property(histories, (commands) => {
        const { events, state } = run(enquiryDecider, commands)
        expect(countOf(events, 'EnquirySubmitted')).toBe(events.length > 0 ? 1 : 0)
        if (events[0]) expect(events[0].type).toBe('EnquirySubmitted')
        expect(countOf(events, 'EnquiryErased')).toBeLessThanOrEqual(1)
        let status: string = 'open'
        for (const event of events) {
          if (event.type !== 'EnquiryStatusChanged') continue
          expect(event.data.from).toBe(status)
          expect(event.data.to).not.toBe(status)
          status = event.data.to
        }
        if (state.kind === 'submitted') expect(state.status).toBe(status)
      }),
    )
  })
})

describe('after any sequence of follows, a dunning stream', () => {
  const histories = fc.array(arbitraryDunningCommand('usr_1'), { maxLength: 20 })

  it('starts each invoice once, reminds once per day in order, and ends once and last', () => {
    fc.assert(
      fc.property(histories, (commands) => {
        const { events, state } = run(dunningDecider, commands)
        for (const [invoiceRef, dunning] of state) {
          const about = events.filter(({ data }) => data.invoiceRef === invoiceRef)
          const types = typesOf(about)
          expect(types.lastIndexOf('DunningStarted')).toBe(0)
          const days = about.flatMap((event) =>
            event.type === 'DunningReminderDue' ? [event.data.day] : [],
          )
          expect(days).toEqual([...new Set(days)].sort((a, b) => a - b))
          expect(dunning.kind === 'ended').toBe(types.includes('DunningEnded'))
          if (dunning.kind === 'ended') expect(types.indexOf('DunningEnded')).toBe(types.length - 1)
        }
      }),
    )
  })

  it('records nothing when a follow is repeated, and names the next time after it', () => {
    fc.assert(
      fc.property(histories, arbitraryDunningCommand('usr_1'), (before, command) => {
        const { events, state } = run(dunningDecider, [...before, command])
        expect(run(dunningDecider, [...before, command, command]).events).toEqual(events)
        const times = [...state.keys()].map((id) =>
          nextReminderAt(
            state.filter((_, each) => each === id),
            command,
          ),
        )
        const followed = new Set(command.invoices.map(({ invoiceRef }) => invoiceRef))
        for (const [index, id] of [...state.keys()].entries())
          if (followed.has(id) && times[index] != null) expect(times[index] > command.at).toBe(true)
      }),
    )
  })
})

describe('after any sequence of follows, a reminder stream', () => {
  const histories = fc.array(arbitraryReminderCommand('usr_1'), { maxLength: 20 })

  it('reminds once of each renewal and of each card', () => {
    fc.assert(
      fc.property(histories, (commands) => {
        const names = run(reminderDecider, commands).events.map(({ fact }) => fact)
        expect(new Set(names).size).toBe(names.length)
        expect(names).not.toContain(undefined)
      }),
    )
  })

  it('records nothing when a follow is repeated, and names the next time after it', () => {
    fc.assert(
      fc.property(histories, arbitraryReminderCommand('usr_1'), (before, command) => {
        const { events, state } = run(reminderDecider, [...before, command])
        expect(run(reminderDecider, [...before, command, command]).events).toEqual(events)
        const next = nextDateAt(command, state)
        if (next !== null) expect(next > command.at).toBe(true)
      }),
    )
  })
})

describe('after any sequence of commands, the firings of a customer', () => {
  it('have each control once for an event', () => {
    fc.assert(
      fc.property(fc.array(arbitraryControlCommand, { maxLength: 25 }), (commands) => {
        const facts = run(controlDecider, commands).events.map(({ fact }) => fact)
        expect(new Set(facts).size).toBe(facts.length)
        expect(new Set(facts)).toEqual(
          new Set(commands.map(({ control, eventId }) => `${control} ${eventId}`)),
        )
      }),
    )
  })
})
