import type pg from 'pg'
import { isUserId, type UserId } from '#contracts/ids'
import { accountDecider } from '#services/accounts/account-decider'
import { addressHmac } from '#services/accounts/address-hmac'
import { createClaimStreams } from '#services/accounts/claim-streams'
import { fixedEmailKeys } from '#services/accounts/email-keys'
import { replaceCodeAddress } from '#services/accounts/sign-in-code-row'
import type { CommandContext } from '#services/commands/command-context'
import type { CommandHandler } from '#services/commands/handle-command'
import type { EventCodec } from '#services/event-store/encryption/codec'
import { readableSubjects, setEnquiryAddresses } from '#services/event-store/encryption/key-table'
import { erasedValue } from '#services/event-store/encryption/personal-fields'
import type { EventStore, StreamEvent } from '#services/event-store/event-store'
import { isDamaged } from '#services/event-store/newer-event'
import { neededRelease } from '#services/event-store/newer-release'
import { newestNewer } from '#services/event-store/newest-newer'
import type { Clock } from '#services/foundation/clock'
import { countOf } from '#services/foundation/format-count'
import { inParallel } from '#services/foundation/in-parallel'
import { keyFingerprint } from '#services/foundation/key-fingerprint'
import { release } from '#services/foundation/release'
import { sleep } from '#services/foundation/sleep'
import { StartupError } from '#services/foundation/startup-error'
import {
  accountStream,
  categoryOf,
  enquiryOf,
  enquiryStream,
} from '#services/foundation/stream-names'
import { replaceSessionAddress } from '#services/http/sessions/session-tables'
import { durableTransaction, onConnectionOf } from '#services/postgres/transaction'
import { countHolders, userLock } from '#services/keys/key-users'
import {
  beginEmailKeyChange,
  endEmailKeyChange,
  plannedEmailKeyChange,
  type EmailKeyPair,
} from './email-key-change.ts'
import { nameSome } from './name-some.ts'

export interface RotateEmailKeyOptions extends EmailKeyPair {
  readonly pool: pg.Pool
  readonly store: Pick<EventStore, 'readStream' | 'readBackwards'>
  readonly codec: Pick<EventCodec, 'decodeStream'>
  readonly commands: CommandHandler
  /** The business clock. */
  readonly clock: Clock
  /** Called while processes end their work under the former key, with the number of processes. */
  readonly onWait?: (processes: number) => void
  /** Called with the number of further persons and enquiries that were looked at. */
  readonly onSubjects?: (count: number) => void
  /** Stops after the persons and enquiries in progress. */
  readonly signal?: AbortSignal
  /** Persons and enquiries that are read at once. Default: 500. */
  readonly pageSize?: number
  /** From one look at the processes to the next, in milliseconds. Default: 200. */
  readonly pollMs?: number
}

/** 'current': there was nothing to do. */
export interface RotatedEmailKey {
  readonly kind: 'rotated' | 'current'
  /** The claims that this run moved. */
  readonly addresses: number
  /** The enquiries from before that are now found by the new key. */
  readonly enquiries: number
}

/** Persons or enquiries at the same time. */
const parallel = 8

/**
 * Moves the claim of every address to the stream under the new EMAIL_HMAC_KEY, while the product
 * runs. Sessions, sign-in codes and enquiries get the HMAC under the new key.
 *
 * 1. The new key becomes the key in use. From then on a process that has read this claims an
 *    address only in the stream under the new key, after it has ended the one under the former key.
 * 2. The command waits until no process claims under the former key alone. Afterwards the claims
 *    under the former key do not grow.
 * 3. It reads the addresses of every account and moves their claims.
 * 4. It records that the former key is not needed.
 *
 * A killed run leaves both keys in use, which the processes accept; the next run looks at every
 * account again and moves the rest.
 * @throws StartupError before the first change, if a key cannot be used, or if the change reads an
 * event that a newer release wrote; or instead of step 4, if events of some persons cannot be read
 */
export async function rotateEmailKey(options: RotateEmailKeyOptions): Promise<RotatedEmailKey> {
  const { pool, store, codec, commands, clock, to } = options
  const { signal = new AbortController().signal, pageSize = 500, pollMs = 200 } = options
  const planned = await plannedEmailKeyChange(pool, options)
  if (planned?.hasBegun === false) await refuseNewer(store, signal)
  const from = await onConnectionOf(pool, durableTransaction, (tx) =>
    beginEmailKeyChange(tx, options),
  )
  if (from === null) return { kind: 'current', addresses: 0, enquiries: 0 }
  const emailKeys = fixedEmailKeys({ kind: 'changing', from, to })
  const claims = createClaimStreams({ commands, clock, emailKeys })

  await untilUnused(keyFingerprint(from))
  let [addresses, enquiries] = [0, 0]
  /** Persons and enquiries. The others do not wait for their correction. */
  const unreadable = new Set<string>()
  for (let after = ''; ;) {
    signal.throwIfAborted()
    const page = await readableSubjects(pool, after, pageSize)
    const last = page.at(-1)
    if (last === undefined) break
    await inParallel(parallel, page.filter(isUserId), (userId) =>
      orRemember(userId, () => movePerson(userId, from)),
    )
    const linked = await linkEnquiries(page.filter((subject) => !isUserId(subject)))
    enquiries += linked
    options.onSubjects?.(page.length)
    after = last
  }
  if (unreadable.size > 0) throw ofUnreadable(unreadable, addresses, enquiries)
  await onConnectionOf(pool, durableTransaction, (tx) => endEmailKeyChange(tx, from))
  return { kind: 'rotated', addresses, enquiries }

  async function untilUnused(former: string): Promise<void> {
    for (;;) {
      const users = await countHolders(pool, userLock(former))
      if (users === 0) return
      options.onWait?.(users)
      await sleep(pollMs, signal)
      signal.throwIfAborted()
    }
  }

  async function orRemember(personOrEnquiry: string, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      // A newer release reads the event: it must run the command.
      if (!isDamaged(error)) throw error
      unreadable.add(personOrEnquiry)
    }
  }

  /** Every address that the account ever had: also a released one can be claimed again. */
  async function movePerson(userId: UserId, from: Buffer): Promise<void> {
    const { state } = await commands.load({
      decider: accountDecider,
      stream: accountStream(userId),
    })
    if (state.kind === 'unopened') return
    const emails =
      state.kind === 'open' ? [...new Set([state.email, ...state.usedClaims.keys()])] : state.emails
    for (const email of emails.filter((each) => each !== erasedValue)) {
      signal.throwIfAborted()
      if (await claims.move(email, byOperator(`rotate e-mail key ${userId}`))) addresses += 1
      const [former, latter] = [addressHmac(email, from), addressHmac(email, to)]
      await replaceSessionAddress(pool, userId, former, latter)
      await replaceCodeAddress(pool, userId, former, latter)
    }
  }

  /** The address is in the enquiry's first event. An erased or never recorded enquiry has none. */
  async function linkEnquiries(subjects: readonly string[]): Promise<number> {
    const found: { subject: string; addressHmac: string }[] = []
    await inParallel(parallel, subjects, (subject) =>
      orRemember(enquiryOf(subject), async () => {
        const stored = await store.readStream(enquiryStream(enquiryOf(subject)), 0, 1)
        for (const event of await codec.decodeStream(stored)) {
          if (event.type !== 'EnquirySubmitted' || event.data.email === erasedValue) continue
          const latter = addressHmac(event.data.email, to)
          if (event.data.addressHmac !== latter) found.push({ subject, addressHmac: latter })
        }
      }),
    )
    await setEnquiryAddresses(pool, found)
    return found.length
  }
}

/**
 * An older release can begin the change, but only the release that knows all events can end it.
 * @throws StartupError if the log has an event of a newer release that the change reads
 */
async function refuseNewer(
  store: Pick<EventStore, 'readBackwards'>,
  signal: AbortSignal,
): Promise<void> {
  const newer = await newestNewer(store, () => signal.throwIfAborted(), isRead)
  if (newer === null) return
  throw new StartupError(
    `The change of EMAIL_HMAC_KEY reads revision ${newer.revision} of ${newer.stream} (${newer.type}), which release ${release} does not know: run the command with ${neededRelease(newer)}. Nothing was changed.`,
  )
}

/** Whether the change reads an event: accounts, claims, and the address of each enquiry. */
function isRead({ stream, revision }: StreamEvent): boolean {
  const category = categoryOf(stream)
  return (
    category === 'account' || category === 'email' || (category === 'enquiry' && revision === 0)
  )
}

function ofUnreadable(
  unreadable: ReadonlySet<string>,
  addresses: number,
  enquiries: number,
): StartupError {
  return new StartupError(
    `EMAIL_HMAC_KEY is in use, and this run moved ${movedText(addresses, enquiries)} to it, but events of ${countOf(unreadable.size, 'person or enquiry', 'persons or enquiries')} cannot be read: ${nameSome(unreadable)}. ` +
      "Run 'billing events verify', correct the events that it names, and run the command again. Keep EMAIL_HMAC_KEY_PREVIOUS until then.",
  )
}

/** `1 address and 2 enquiries`. */
export function movedText(addresses: number, enquiries: number): string {
  return `${countOf(addresses, 'address', 'addresses')} and ${countOf(enquiries, 'enquiry', 'enquiries')}`
}

/** A constant command id: a repeated run appends no second event. */
function byOperator(commandId: string): CommandContext {
  return {
    commandId,
    correlationId: commandId,
    actor: { kind: 'system', id: 'operator' },
    source: 'system',
  }
}
