import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { DomainEvent } from '#contracts/events/catalogue'
import type { AccountEvent } from '#contracts/events/account'
import type { BillingEvent } from '#contracts/events/billing'
import { parseUserId } from '#contracts/ids'
import { foldEvent, userConsumer } from '#projections/users/fold-event'
import type { User } from '#projections/users/user'
import { accountDecider } from '#services/accounts/account-decider'
import { billingDecider } from '#services/billing/billing-decider'
import { accountStream, billingStream } from '#services/foundation/stream-names'
import {
  arbitraryAccountCommand,
  arbitraryBillingCommand,
} from '../../support/data/arbitrary-commands.ts'
import { accountOpened, recorded } from '../../support/data/events.ts'
import { given } from '../../support/data/given.ts'

const userId = parseUserId('usr_1')
const opened = accountOpened(userId, 'dana@example.com')

const command = fc.oneof(
  arbitraryAccountCommand(userId).map((account) => ({ account }) as const),
  arbitraryBillingCommand(userId).map((billing) => ({ billing }) as const),
)
type Command = typeof command extends fc.Arbitrary<infer Type> ? Type : never

/** The user types after AccountOpened and after each further event that the commands become. */
function typesAfter(commands: readonly Command[]): readonly number[] {
  const account: AccountEvent[] = [opened]
  const billing: BillingEvent[] = []
  const types: number[] = []
  let user: User | undefined

  const fold = (stream: string, event: DomainEvent) => {
    const stored = recorded(stream, event)
    if (!userConsumer.isFolded(stored)) return
    user = foldEvent(user, stored)
    types.push(user.user_type)
  }
  fold(opened.stream, opened)
  for (const each of commands) {
    if ('account' in each) {
      const decision = given(accountDecider, ...account).decide(each.account)
      if (decision.kind === 'refused') continue
      account.push(...decision.events)
      decision.events.forEach((event) => fold(accountStream(userId), event))
    } else {
      const decision = given(billingDecider, ...billing).decide(each.billing)
      if (decision.kind === 'refused') continue
      billing.push(...decision.events)
      decision.events.forEach((event) => fold(billingStream(userId), event))
    }
  }
  return types
}

describe('the user type', () => {
  it('never decreases, in any order of commands, and every type occurs', () => {
    const seen = new Set<number>()
    fc.assert(
      fc.property(fc.array(command, { maxLength: 30 }), (commands) => {
        const types = typesAfter(commands)
        types.forEach((type) => seen.add(type))
        expect(types).toEqual(types.toSorted((a, b) => a - b))
      }),
      { numRuns: 1_000 },
    )
    expect(seen).toEqual(new Set([1, 2, 3, 4]))
  })
})
