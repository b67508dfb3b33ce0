import type pg from 'pg'
import { z } from 'zod'
import {
  deadLetterDecided,
  deadLettersResponse,
  discardDeadLetterRequest,
  retryDeadLetterRequest,
  type DeadLetterItem,
} from '#contracts/admin/dead-letters'
import { eventTitle } from '#contracts/event-labels'
import type { AdminAccessEvent } from '#contracts/events/admin-access'
import { isUserId } from '#contracts/ids'
import { streamOwner } from '#services/foundation/stream-names'
import { HttpError } from '#services/http/http-error'
import type { RequestContext } from '#services/http/endpoint'
import type { Routes } from '#services/http/routes'
import {
  administratorMailReactorName,
  mailReactorName,
  sendingReactors,
  textReactorName,
} from '#services/notifications/reactor-names'
import { durableTransaction, onConnectionOf } from '#services/postgres/transaction'
import {
  discardDead,
  listEntries,
  lockEntry,
  retryDead,
  type ListedEntry,
  type LockedEntry,
} from '#services/reactors/outbox-entries'
import type { RecordAdminAccess } from './record-admin-access.ts'

export interface DeadLetterParts {
  readonly pool: pg.Pool
  readonly record: RecordAdminAccess
}

const maxListed = 200
const params = z.object({ reactor: z.enum(sendingReactors), eventId: z.uuid() })
type Place = z.infer<typeof params>
type Act = { readonly kind: 'retry' | 'discard'; readonly event: AdminAccessEvent }

/** Messages that were not sent and are not tried again: the list, and what to do with each. */
export function deadLetterRoutes({ pool, record }: DeadLetterParts): Routes {
  /**
   * Records the act, then does it, while the entry is locked: of two administrators at the same
   * time one acts, and the other one reads what became of it. A repeat changes nothing.
   */
  async function decide(
    { reactor, eventId }: Place,
    actOf: (entry: LockedEntry) => Act,
    context: RequestContext & { readonly adminId: string },
  ): Promise<{ message: string }> {
    return onConnectionOf(pool, durableTransaction, async (tx) => {
      const entry = await lockEntry(tx, reactor, eventId)
      if (entry === null)
        throw new HttpError(404, 'There is no such message any more. Reload the page.')
      const { kind, event } = actOf(entry)
      if (!entry.isDead || entry.isDone) return { message: before(entry, kind) }
      await record(event, context.adminId, context)
      if (kind === 'retry') await retryDead(tx, [reactor], eventId)
      else await discardDead(tx, reactor, eventId)
      return {
        message:
          kind === 'retry'
            ? 'The message is tried once more now. If that fails, it is in this list again.'
            : 'The message was discarded. It is not sent.',
      }
    })
  }

  return (route) => {
    route({
      method: 'get',
      path: '/api/admin/dead-letters',
      summary: 'List the messages that were not sent and are not tried again',
      access: 'admin',
      right: 'read',
      answer: deadLettersResponse,
      async handle() {
        const entries = await listEntries(pool, sendingReactors, {
          isDead: true,
          limit: maxListed + 1,
        })
        return {
          items: entries.slice(0, maxListed).map(itemOf),
          has_more: entries.length > maxListed,
        }
      },
    })

    route({
      method: 'post',
      path: '/api/admin/dead-letters/:reactor/:eventId/retry',
      appends: 'administrator',
      summary: 'Try a message that was not sent once more',
      access: 'admin',
      right: 'unsent-messages',
      params,
      body: retryDeadLetterRequest,
      answer: deadLetterDecided,
      alsoAnswers: [404],
      handle: ({ params: place, body: { why } }, context) =>
        decide(
          place,
          (entry) => ({
            kind: 'retry',
            event: {
              type: 'DeadLetterRetried',
              data: { ...entryDataOf(place, entry, context.adminId), why },
            },
          }),
          context,
        ),
    })

    route({
      method: 'post',
      path: '/api/admin/dead-letters/:reactor/:eventId/discard',
      appends: 'administrator',
      summary: 'Discard a message that was not sent',
      access: 'admin',
      right: 'unsent-messages',
      params,
      body: discardDeadLetterRequest,
      answer: deadLetterDecided,
      alsoAnswers: [404, 409],
      handle: ({ params: place, body: { why } }, context) =>
        decide(
          place,
          (entry) => ({
            kind: 'discard',
            event: {
              type: 'DeadLetterDiscarded',
              data: { ...entryDataOf(place, entry, context.adminId), why },
            },
          }),
          context,
        ),
    })
  }
}

/**
 * What became of an entry that is no dead letter.
 * @throws HttpError 409 if it cannot be discarded
 */
function before({ isDead, isDone }: LockedEntry, kind: Act['kind']): string {
  if (isDead) return 'The message was discarded before.'
  if (kind === 'retry')
    return isDone ? 'The message was sent before.' : 'The message is tried again already.'
  throw new HttpError(
    409,
    isDone
      ? 'Nothing was discarded: the message was tried once more before, and has its outcome. The history shows it.'
      : 'Nothing was discarded: the message is being tried once more. Reload the page in a minute.',
  )
}

function entryDataOf(
  { reactor, eventId }: Place,
  { eventType, stream }: LockedEntry,
  adminId: string,
) {
  const userId = userOf(stream)
  return {
    adminId,
    ...(userId === null ? {} : { userId }),
    reactor,
    eventId,
    eventType,
    stream,
  }
}

function itemOf(entry: ListedEntry): DeadLetterItem {
  const { reactor, eventId, eventType, stream, revision, attempts, lastError, createdAt } = entry
  return {
    reactor,
    event_id: eventId,
    message: messageOf(reactor),
    about: eventTitle(eventType),
    stream,
    revision,
    user_id: userOf(stream),
    attempts,
    last_error: lastError,
    dead_at: entry.deadAt ?? createdAt,
  }
}

function messageOf(reactor: string): DeadLetterItem['message'] {
  switch (reactor) {
    case mailReactorName:
      return 'mail'
    case textReactorName:
      return 'text'
    case administratorMailReactorName:
      return 'mail-to-administrator'
    default:
      return 'other'
  }
}

function userOf(stream: string): string | null {
  const owner = streamOwner(stream)
  return isUserId(owner) ? owner : null
}
