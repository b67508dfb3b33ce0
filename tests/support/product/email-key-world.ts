import pino from 'pino'
import type { UserId } from '#contracts/ids'
import { createAccounts } from '#services/accounts/accounts'
import { addressHmac } from '#services/accounts/address-hmac'
import { erasePerson } from '#services/accounts/erase-person'
import { createCommandHandler } from '#services/commands/handle-command'
import { createEnquiriesOf } from '#services/enquiries/enquiries-of'
import { createEnquiryErasure } from '#services/enquiries/erase-enquiries'
import { createCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import type { EventStore } from '#services/event-store/event-store'
import { systemClock } from '#services/foundation/clock'
import { randomIds } from '#services/foundation/ids'
import {
  rotateEmailKey,
  type RotateEmailKeyOptions,
} from '#services/operations/keys/rotate-email-key'
import { assertKnownKeys } from '#services/keys/assert-known-keys'
import { watchKeys } from '#services/keys/watch-keys'
import { submitEnquiry } from '../data/submit-enquiry.ts'
import { testContext } from '../data/test-context.ts'
import { macKey } from '../event-store/mac-key.ts'
import type { TestDatabase } from '../postgres/database.ts'
import { assertAddresses } from './assert-addresses.ts'

/** The keys that do not change. */
export const emailKeyWorldKeys = {
  masterKey: Buffer.alloc(32, 7),
  portalKey: Buffer.alloc(32, 5),
  auditKey: Buffer.alloc(32, 9),
}

export type EmailKeyProcess = Awaited<ReturnType<EmailKeyWorld['start']>>
export type EmailKeyWorld = ReturnType<typeof createEmailKeyWorld>

/** Processes of the product with different EMAIL_HMAC_KEYs on one database and one log. */
export function createEmailKeyWorld(database: TestDatabase, store: EventStore) {
  const { pool, connectionString } = database
  const codec = createCodec(createPersonalKeys(pool, emailKeyWorldKeys.masterKey, { cacheFor: 1 }))
  const commandsOn = (on: EventStore) =>
    createCommandHandler({ store: on, codec, clock: systemClock, macKey })

  return {
    codec,
    /** What a start with these keys does before it serves. */
    assertStart: (emailHmacKey: Buffer, previousEmailHmacKey: Buffer | null = null) =>
      assertKnownKeys(pool, { ...emailKeyWorldKeys, emailHmacKey, previousEmailHmacKey }),

    /** A process that serves. `on` is the log as this process sees it. */
    async start(
      emailHmacKey: Buffer,
      previousEmailHmacKey: Buffer | null = null,
      { on = store, everyMs = 20 }: { readonly on?: EventStore; readonly everyMs?: number } = {},
    ) {
      await assertKnownKeys(pool, { ...emailKeyWorldKeys, emailHmacKey, previousEmailHmacKey })
      const emailKeys = await watchKeys({
        connectionString,
        keys: {
          ...emailKeyWorldKeys,
          previousMasterKey: null,
          emailHmacKey,
          previousEmailHmacKey,
        },
        log: pino({ level: 'silent' }),
        everyMs,
      })
      const commands = commandsOn(on)
      const keys = createPersonalKeys(pool, emailKeyWorldKeys.masterKey, { cacheFor: 1 })
      const accounts = createAccounts({
        commands,
        clock: systemClock,
        ids: randomIds,
        emailKeys,
        claimGraceMs: 100,
      })
      const enquiries = createEnquiryErasure({ commands, keys, clock: systemClock })
      return {
        accounts,
        emailKeys,
        enter: async (email: string) =>
          (await accounts.findOrOpen(email, testContext())).account.userId,
        erase: (userId: UserId) =>
          erasePerson(
            userId,
            { commands, keys, pool, clock: systemClock, emailKeys, enquiries },
            testContext(`erase ${userId}`),
          ),
        enquiriesOf: createEnquiriesOf({ store: on, codec, keys, emailKeys }),
        enquire: (name: string, email: string) =>
          emailKeys.hold(() => submitEnquiry({ commands, emailKeys }, email, name)),
        close: () => emailKeys.close(),
      }
    },

    rotate: (
      to: Buffer,
      from: Buffer | null,
      options: Partial<RotateEmailKeyOptions> & { readonly on?: EventStore } = {},
    ) =>
      rotateEmailKey({
        pool,
        store: options.on ?? store,
        codec,
        commands: commandsOn(options.on ?? store),
        clock: systemClock,
        to,
        from,
        pageSize: 3,
        pollMs: 20,
        ...options,
      }),

    /** Replays the log: at each position, every address of an account is claimed for it alone. */
    async assertLog(...keys: readonly Buffer[]) {
      const log = []
      for await (const page of store.readAll(null)) log.push(...(await codec.decode(page)))
      assertAddresses(log, (email) => keys.map((key) => addressHmac(email, key)))
      return log
    },
  }
}
