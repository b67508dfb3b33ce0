import type { DomainEvent } from '#contracts/events/catalogue'
import { erasedValue } from '#services/event-store/encryption/personal-fields'
import { streamOwner } from '#services/foundation/stream-names'

/**
 * Replays the log and checks after each event that every address of an account is claimed for this
 * account. So no address is an address of two accounts. If `hmacOf` returns the HMACs under several
 * keys, the newest first, the newest of them with a claim decides.
 * @throws Error with the first event after which an address has no claim, or another account's
 */
export function assertAddresses(
  log: readonly (DomainEvent & { readonly stream: string })[],
  hmacOf: (email: string) => string | readonly string[],
): void {
  const owners = new Map<string, string | null>()
  const ownerOf = (email: string) =>
    [hmacOf(email)]
      .flat()
      .map((hmac) => owners.get(hmac))
      .find((owner) => owner !== undefined)
  const primaries = new Map<string, string>()
  const secondaries = new Map<string, string>()
  for (const event of log) {
    const id = streamOwner(event.stream)
    apply(event, id)
    for (const addresses of [primaries, secondaries])
      for (const [userId, email] of addresses)
        // The addresses of an erased person are not readable.
        if (email !== erasedValue && ownerOf(email) !== userId)
          throw new Error(
            `After ${event.type} in ${event.stream}, ${email} is an address of ${userId} and is claimed for ${ownerOf(email) ?? 'no account'}.`,
          )
  }

  function apply(event: DomainEvent, id: string): void {
    switch (event.type) {
      case 'EmailClaimed':
        return void owners.set(id, event.data.userId)
      case 'EmailReleased':
        return void owners.set(id, null)
      case 'AccountOpened':
        return void primaries.set(id, event.data.email)
      case 'SecondaryEmailSet':
        return void secondaries.set(id, event.data.email)
      case 'SecondaryEmailRemoved':
        return void secondaries.delete(id)
      case 'PersonalDataErased':
        primaries.delete(id)
        return void secondaries.delete(id)
      default:
    }
  }
}
