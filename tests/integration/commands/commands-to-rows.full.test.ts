import { randomBytes } from 'node:crypto'
import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { projectionStatus } from '#projections/engine/operate/status'
import { verify } from '#projections/engine/rebuild/verify'
import { projectingKey } from '#projections/engine/run/lease-keys'
import { createProjector } from '#projections/engine/run/projector'
import { readModels } from '#projections/read-models'
import { parseEnquiryId, parseUserId, type UserId } from '#contracts/ids'
import { accountDecider, type AccountCommand } from '#services/accounts/account-decider'
import { billingDecider, type BillingCommand } from '#services/billing/billing-decider'
import { enquiryDecider, type EnquiryCommand } from '#services/enquiries/enquiry-decider'
import type { CommandContext } from '#services/commands/command-context'
import { createCommandHandler, type CommandHandler } from '#services/commands/handle-command'
import { createCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { unreachable } from '#services/foundation/decider'
import { systemClock } from '#services/foundation/clock'
import { accountStream, billingStream, enquiryStream } from '#services/foundation/stream-names'
import {
  arbitraryAccountCommand,
  arbitraryBillingCommand,
  arbitraryEnquiryCommand,
} from '../../support/data/arbitrary-commands.ts'
import { createTestDatabase } from '../../support/postgres/database.ts'
import { crashingLease } from '../../support/projections/crashing-lease.ts'
import { silentLog } from '../../support/projections/projection-fixture.ts'
import { macKey } from '../../support/event-store/mac-key.ts'
import { until } from '../../support/machine/until.ts'

type Sent = { readonly userId: UserId } & (
  | { readonly to: 'account'; readonly command: AccountCommand }
  | { readonly to: 'billing'; readonly command: BillingCommand }
  | { readonly to: 'enquiry'; readonly command: EnquiryCommand }
)

const users = ['usr_1', 'usr_2', 'usr_3'].map(parseUserId)

const sent: fc.Arbitrary<Sent> = fc.constantFrom(...users).chain((userId) =>
  fc.oneof(
    arbitraryAccountCommand(userId).map((command): Sent => ({ userId, to: 'account', command })),
    arbitraryBillingCommand(userId).map((command): Sent => ({ userId, to: 'billing', command })),
    arbitraryEnquiryCommand().map((command): Sent => ({ userId, to: 'enquiry', command })),
  ),
)

const crash = fc.record({
  statement: fc.integer({ min: 1, max: 30 }),
  when: fc.constantFrom('before' as const, 'after' as const),
})

function handle(commands: CommandHandler, { userId, ...what }: Sent, commandId: string) {
  const context: CommandContext = {
    commandId,
    correlationId: commandId,
    actor: { kind: 'customer', id: userId },
    source: 'api',
  }
  switch (what.to) {
    case 'account':
      return commands.handle({
        decider: accountDecider,
        stream: accountStream(userId),
        command: what.command,
        context,
      })
    case 'billing':
      return commands.handle({
        decider: billingDecider,
        stream: billingStream(userId),
        command: what.command,
        context,
      })
    case 'enquiry':
      return commands.handle({
        decider: enquiryDecider,
        stream: enquiryStream(parseEnquiryId(`enquiry_${userId}`)),
        command: what.command,
        context,
      })
    default:
      return unreachable(what)
  }
}

it('commands that are each sent twice append once, and the read models equal the log with any batch size and after a crash at any statement', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(sent, { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 1, max: 20 }),
      crash,
      async (sequence, maxBatchSize, point) => {
        const db = await createTestDatabase()
        const store = createPostgresEventStore({ connectionString: db.connectionString })
        const codec = createCodec(createPersonalKeys(db.pool, randomBytes(32)))
        const stop = new AbortController()
        const running: Promise<void>[] = []
        try {
          const commands = createCommandHandler({ store, codec, clock: systemClock, macKey })
          // As in the product, every customer who buys has an account.
          for (const userId of users) {
            await handle(
              commands,
              {
                userId,
                to: 'account',
                command: {
                  type: 'open-account',
                  userId,
                  email: `${userId}@birchwood.example`,
                  at: '2026-03-01T00:00:00.000Z',
                },
              },
              `open ${userId}`,
            )
          }
          for (const [index, each] of sequence.entries()) {
            await handle(commands, each, `command ${index}`)
            const before = await store.lastPosition()
            await handle(commands, each, `command ${index}`)
            expect(await store.lastPosition()).toBe(before)
          }

          const end = await store.lastPosition()
          for (const model of readModels) {
            let isFirst = true
            const takeLease = (signal: AbortSignal) => {
              const at = isFirst ? point : { ...point, statement: Infinity }
              isFirst = false
              return crashingLease(
                db.connectionString,
                projectingKey(model),
                signal,
                at,
                () => undefined,
              )
            }
            running.push(
              createProjector({
                connectionString: db.connectionString,
                store,
                codec,
                model,
                log: silentLog,
                maxBatchSize,
                takeLease,
              }).run(stop.signal),
            )
          }
          await until(async () => {
            const statuses = await projectionStatus(db.pool)
            return (
              statuses.length === readModels.length &&
              statuses.every(({ position }) => position === end)
            )
          })
          for (const model of readModels) {
            const found = await verify({
              connectionString: db.connectionString,
              store,
              codec,
              model,
              log: silentLog,
              signal: stop.signal,
            })
            expect(found).toMatchObject({ isEqual: true, position: end })
          }
        } finally {
          stop.abort()
          await Promise.all(running)
          await store.close()
          await db.drop()
        }
      },
    ),
    // A search for a smaller sequence would run into the limit, which hides the failure.
    { numRuns: 8, endOnFailure: true },
  )
}, 90_000)
