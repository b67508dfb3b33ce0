import { describe, expect, it } from '@jest/globals'
import { accountEvents, type AccountEvent } from '#contracts/events/account'
import type { RecordedEvent } from '#contracts/events/catalogue'
import type { ProviderRef } from '#contracts/events/provider-ref'
import { parseUserId } from '#contracts/ids'
import { accountDecider, type AccountState } from '#services/accounts/account-decider'
import { completedBy } from '#services/billing/customer-details'
import { customerDetailsReactor } from '#services/billing/customer-details-reactor'
import { unknownBuyer } from '#services/billing/parties'
import type { CustomerDetails } from '#services/payments/payment-provider'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import {
  accountOpened,
  billing,
  profile,
  profileCompleted,
  recorded,
} from '../support/data/events.ts'

const opened = accountOpened('usr_1', 'dana@birchwooddental.example', { revision: 0 })
const completed = profileCompleted('usr_1', {}, { revision: 1 })
const updated = (changes: Partial<typeof profile>, revision: number) =>
  recorded(
    'account-usr_1',
    { type: 'ProfileUpdated', data: { ...profile, ...changes } },
    { revision },
  )
const erased = recorded('account-usr_1', { type: 'PersonalDataErased', data: {} }, { revision: 5 })
const linked = billing('usr_1', {
  type: 'PaymentCustomerLinked',
  data: { customerRef: refOf('cus_1') },
})

/** The provider's customer, and a reactor over an account that has these events. */
function reactorOf(history: RecordedEvent[], customerRef: ProviderRef | null = refOf('cus_1')) {
  const customer: Partial<CustomerDetails> = {}
  const changes: Partial<CustomerDetails>[] = []
  let beforeUpdate: () => void = () => {}
  const reactor = customerDetailsReactor({
    billing: {
      customerRefOf: async (userId) => (userId === parseUserId('usr_1') ? customerRef : null),
    },
    provider: {
      updateCustomer: async (_id, change) => {
        beforeUpdate()
        changes.push(change)
        Object.assign(customer, change)
      },
    },
    store: { readStream: async () => [] },
    codec: { decodeStream: async () => history },
  })
  return {
    customer,
    changes,
    react: (event: RecordedEvent) => reactor.effect(event, 1),
    onUpdate: (act: () => void) => {
      beforeUpdate = () => {
        beforeUpdate = () => {}
        act()
      }
    },
  }
}

const accountOf = (...events: readonly RecordedEvent[]): AccountState =>
  events
    .filter((event): event is RecordedEvent<AccountEvent> => event.type in accountEvents)
    .reduce<AccountState>(accountDecider.evolve, accountDecider.initialState)

describe('the customer at the provider', () => {
  it('gets the fields that a change of the profile changed', async () => {
    const moved = updated({ companyName: 'Northgate', city: 'Saint Paul' }, 2)
    const { changes, react } = reactorOf([opened, completed, moved])
    await react(moved)
    expect(changes).toEqual([
      {
        name: 'Northgate',
        address: {
          line1: '418 Orchard Lane, Suite 2',
          city: 'Saint Paul',
          state: 'Minnesota',
          postalCode: '55802',
          country: 'US',
        },
      },
    ])
  })

  it('gets nothing if no invoice names what changed, and without a customer', async () => {
    const renamed = updated({ fullName: 'Dana W.' }, 2)
    const same = reactorOf([opened, completed, renamed])
    await same.react(renamed)
    const moved = updated({ city: 'Saint Paul' }, 2)
    const none = reactorOf([opened, completed, moved], null)
    await none.react(moved)
    expect([same.changes, none.changes]).toEqual([[], []])
  })

  it('has the newest values after an older change that comes late or twice', async () => {
    const older = updated({ companyName: 'Northgate' }, 2)
    const newer = updated({ companyName: 'Southgate' }, 3)
    const { customer, react } = reactorOf([opened, completed, older, newer])
    for (const event of [newer, older, older]) await react(event)
    expect(customer).toEqual({ name: 'Southgate' })
  })

  it('has the newest values if the profile changes during the call', async () => {
    const older = updated({ companyName: 'Northgate' }, 2)
    const history: RecordedEvent[] = [opened, completed, older]
    const { customer, react, onUpdate } = reactorOf(history)
    onUpdate(() => history.push(updated({ companyName: 'Southgate' }, 3)))
    await react(older)
    expect(customer).toEqual({ name: 'Southgate' })
  })

  it('gets every detail when it is new, and loses every detail by an erasure', async () => {
    const { customer, react } = reactorOf([opened, completed])
    await react(linked)
    expect(customer).toMatchObject({
      email: 'dana@birchwooddental.example',
      name: 'Birchwood Dental Group',
      phone: '(218) 555-0147',
    })
    const gone = reactorOf([opened, completed, erased])
    await gone.react(erased)
    expect(gone.customer).toEqual({ email: null, name: null, phone: null, address: null })
  })
})

describe('the buyer of an invoice', () => {
  const account = accountOf(opened, completed)

  it('is as in the account where the provider names nobody', () => {
    expect(completedBy(unknownBuyer, account)).toEqual({
      customerName: 'Birchwood Dental Group',
      customerEmail: 'dana@birchwooddental.example',
      addressLine1: '418 Orchard Lane, Suite 2',
      addressLine2: null,
      postalCode: '55802',
      city: 'Duluth',
      state: 'Minnesota',
      country: 'US',
    })
  })

  it('has the whole place of the provider, or the whole place of the account', () => {
    const billed = { ...unknownBuyer, customerName: 'Northgate', country: 'DE' }
    expect(completedBy(billed, account)).toEqual({
      ...billed,
      customerEmail: 'dana@birchwooddental.example',
    })
  })

  it('stays unknown without a profile, and after an erasure', () => {
    expect(completedBy(unknownBuyer, accountOf(opened))).toEqual({
      ...unknownBuyer,
      customerEmail: 'dana@birchwooddental.example',
    })
    expect(completedBy(unknownBuyer, accountOf(opened, completed, erased))).toEqual(unknownBuyer)
  })
})
