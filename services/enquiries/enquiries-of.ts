import { hmacsOf, type EmailKeys } from '#services/accounts/email-keys'
import type { DecodedEvent, EventCodec } from '#services/event-store/encryption/codec'
import type { PersonalKeys } from '#services/event-store/encryption/personal-keys'
import type { EventStore } from '#services/event-store/event-store'
import { enquiryOf, enquiryStream } from '#services/foundation/stream-names'

/** Returns the function that reads every event of the enquiries of an address, decrypted. */
export function createEnquiriesOf({
  store,
  codec,
  keys,
  emailKeys,
}: {
  readonly store: Pick<EventStore, 'readStream'>
  readonly codec: Pick<EventCodec, 'decodeStream'>
  readonly keys: Pick<PersonalKeys, 'enquiriesWith'>
  readonly emailKeys: EmailKeys
}) {
  return async (email: string): Promise<readonly DecodedEvent[]> => {
    const subjects = await keys.enquiriesWith(hmacsOf(emailKeys, email))
    const streams: (readonly DecodedEvent[])[] = []
    // In turn: any visitor can send enquiries with this address.
    for (const subject of subjects)
      streams.push(
        await codec.decodeStream(await store.readStream(enquiryStream(enquiryOf(subject)))),
      )
    return streams.flat()
  }
}
