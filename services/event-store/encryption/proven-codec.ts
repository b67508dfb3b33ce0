import type { StreamEvent } from '../event-store.ts'
import type { EventCodec } from './codec.ts'

/** An `EventProof`. */
interface Proof {
  /** @throws ForgedEvent */
  refuseForged(events: readonly StreamEvent[]): void
}
type Decoding = Pick<EventCodec, 'decode' | 'decodeStream'>

/**
 * A codec that decodes genuine events only. For readers of a few events, each of which fails alone.
 * `decode` and `decodeStream` also throw ForgedEvent.
 */
export function proveDecoded<Codec extends Decoding>(codec: Codec, { refuseForged }: Proof): Codec {
  return {
    ...codec,
    async decode(events) {
      refuseForged(events)
      return codec.decode(events)
    },
    async decodeStream(events) {
      refuseForged(events)
      return codec.decodeStream(events)
    },
  } satisfies Decoding & Codec
}
