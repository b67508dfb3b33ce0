import type { ClientId, UserId } from '#contracts/ids'
import type { PersonalKeys } from '#services/event-store/encryption/personal-keys'
import { clientSubject } from '#services/foundation/stream-names'

export interface AddingParts {
  readonly keys: Pick<PersonalKeys, 'createAll'>
  /** Whether the account was erased. Reads its stream to the end. */
  readonly isErased: (merchantId: UserId) => Promise<boolean>
}

/**
 * Creates the keys of clients before their first events. False if the account was erased. In this
 * order: an erasure that is not seen here finds the keys, and decides about the clients in their
 * streams (docs/decisions/0048-erased-merchants.md). @throws EventStoreUnavailable
 */
export async function mayAddClients(
  { keys, isErased }: AddingParts,
  merchantId: UserId,
  clientIds: readonly ClientId[],
): Promise<boolean> {
  await keys.createAll(clientIds.map((clientId) => clientSubject(merchantId, clientId)))
  return !(await isErased(merchantId))
}
