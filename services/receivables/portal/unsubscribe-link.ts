import type { StopId } from '#contracts/ids'
import { erasedValue } from '#services/event-store/encryption/personal-fields'
import type { Receivables } from '../receivables-service.ts'
import type { Visit } from './portal.ts'

/** Digits of the id of a stop that name an address in a link. */
const tagLength = 16

/** What names the mailbox of a mail in its link: the beginning of the id of its stop. */
export function tagOfMailbox(stopId: StopId): string {
  return stopId.slice(0, tagLength)
}

/**
 * The mailbox that a link of List-Unsubscribe is about: the one to which the mail went, also if the
 * client has another one now. Without a tag, or with one of no address that the client ever had,
 * the present one. Null if the client has none, and for a revoked link that names no mailbox: such
 * a link stops what the mail with it said that it stops.
 */
export async function mailboxOfLink(
  { merchantId, clientId, client, isRevoked }: Visit,
  tag: unknown,
  {
    clientOf,
    idOf,
  }: {
    readonly clientOf: Receivables['clientOf']
    readonly idOf: (address: string) => Promise<StopId | null>
  },
): Promise<string | null> {
  const present = client.details.email
  const otherwise = isRevoked ? null : present
  if (typeof tag !== 'string' || tag.length !== tagLength) return otherwise
  const isNamed = async (address: string) => {
    const id = await idOf(address)
    return id !== null && tagOfMailbox(id) === tag
  }
  if (present !== null && (await isNamed(present))) return present
  const found = await clientOf(merchantId, clientId)
  const earlier = (found?.events ?? []).flatMap((event) =>
    event.type === 'ClientChanged' ? [event.data.before.email] : [],
  )
  for (const address of new Set(earlier))
    if (address !== null && address !== erasedValue && (await isNamed(address))) return address
  return otherwise
}
