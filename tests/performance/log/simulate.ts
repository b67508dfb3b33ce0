import type { SignInEvent } from '#contracts/events/sign-in'
import { parseUserId } from '#contracts/ids'
import { accountDecider } from '#services/accounts/account-decider'
import { addressHmac } from '#services/accounts/address-hmac'
import { emailClaimDecider } from '#services/accounts/email-claim-decider'
import { billingDecider } from '#services/billing/billing-decider'
import type { EventCodec } from '#services/event-store/encryption/codec'
import { accepted, type Decided, type Decider } from '#services/foundation/decider'
import {
  accountStream,
  billingStream,
  emailStream,
  signInStream,
} from '#services/foundation/stream-names'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import { seededRandom } from '../../../scripts/billing/demo/seeded-random.ts'
import { createAgenda } from './agenda.ts'
import { customerLife, type AccountHolder, type Step } from './customer-life.ts'
import { createSimulatedStream, type Cause, type SimulatedAppend } from './simulated-stream.ts'
import { makePerson } from '../../../scripts/billing/demo/person.ts'
import { createRandom, type Random } from '../../../scripts/billing/demo/random.ts'

export interface Simulation {
  readonly seed: number
  /** Number of persons who sign up in the two years of the business. */
  readonly customers: number
  readonly codec: Pick<EventCodec, 'encode'>
}

const eventsPerCustomer = 28

/** The number of customers whose simulation gives about `events` events. */
export function customersFor(events: number): number {
  return Math.ceil(events / eventsPerCustomer)
}

const opened = Date.parse('2024-03-01T08:00:00.000Z')
const twoYears = 2 * 365 * 86_400_000
const addressKey = Buffer.alloc(32, 7)

/**
 * The log of a business in the order of time, made by the product's deciders, codec and hash chain.
 * Customers arrive one after another, and their events interleave. The generator ends when no
 * customer has a next step. The same seed gives the same events; ciphertexts and hashes differ,
 * because keys and nonces are new in each run.
 */
export async function* simulate({
  seed,
  customers,
  codec,
}: Simulation): AsyncGenerator<SimulatedAppend> {
  const agenda = createAgenda<{ at: number; take: () => Promise<readonly SimulatedAppend[]> }>()
  const random = createRandom(seededRandom(seed))

  function arrive(index: number): void {
    const at = opened + (index / customers) * twoYears
    const take = () => {
      if (index + 1 < customers) arrive(index + 1)
      const person: AccountHolder = {
        ...makePerson(index, random),
        userId: parseUserId(`usr_${random.uuid().replaceAll('-', '')}`),
      }
      const life = customerLife(
        person,
        at,
        createRandom(seededRandom(Math.floor(random.next() * 2 ** 32))),
      )
      live(life, streamsOf(person, random, codec))
      return Promise.resolve([])
    }
    agenda.add({ at, take })
  }

  function live(
    life: Iterator<Step>,
    record: (step: Step) => Promise<readonly SimulatedAppend[]>,
  ): void {
    const next = life.next()
    if (next.done) return
    const take = async () => {
      const appends = await record(next.value)
      live(life, record)
      return appends
    }
    agenda.add({ at: next.value.at, take })
  }

  arrive(0)
  for (let turn = agenda.next(); turn; turn = agenda.next()) yield* await turn.take()
}

/** The streams of one person. Each step is decided, encoded and chained to its stream. */
function streamsOf(person: AccountHolder, random: Random, codec: Pick<EventCodec, 'encode'>) {
  const email = createSimulatedStream(
    emailStream(addressHmac(person.email, addressKey)),
    emailClaimDecider,
    random,
    codec,
  )
  const account = createSimulatedStream(accountStream(person.userId), accountDecider, random, codec)
  const signIn = createSimulatedStream(signInStream(person.userId), signInRecorder, random, codec)
  const billing = createSimulatedStream(billingStream(person.userId), billingDecider, random, codec)
  const customer = { actor: { kind: 'customer', id: person.userId }, source: 'api' } as const

  return async (step: Step): Promise<readonly SimulatedAppend[]> => {
    switch (step.decider) {
      case 'email':
        return email(step.command, step.at, customer)
      case 'account':
        return account(step.command, step.at, customer)
      case 'signIn': {
        const occurredAt = new Date(step.at).toISOString()
        return signIn({ ...step.event, occurredAt }, step.at, customer)
      }
      case 'billing':
        return billing(
          step.command,
          step.at,
          step.by === 'customer' ? customer : hookOf(step.at, random),
        )
    }
  }
}

function hookOf(at: number, random: Random): Cause {
  const eventRef = refOf(`evt_${random.uuid().replaceAll('-', '')}`)
  return {
    actor: { kind: 'payment-provider', id: 'stripe' },
    source: 'webhook',
    provider: { eventRef, created: new Date(at).toISOString(), apiVersion: '2025-09-30.clover' },
  }
}

/** Sign-ins are recorded without a decision. */
const signInRecorder: Decider<'signIn', null, Decided<SignInEvent>, SignInEvent, never> = {
  category: 'signIn',
  initialState: null,
  evolve: () => null,
  decide: (event) => accepted(event),
}
