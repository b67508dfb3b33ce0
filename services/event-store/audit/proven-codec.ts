import type { EventCodec } from '../encryption/codec.ts'
import type { EventProof } from './event-proof.ts'

type Decoding = Pick<EventCodec, 'decode' | 'decodeStream'>

/**
 * A codec that decodes genuine events only. For readers of a few events, each of which fails alone.
 * `decode` and `decodeStream` also throw ForgedEvent.
 */
export function proveDecoded<Codec extends Decoding>(
  codec: Codec,
  { refuseForged }: EventProof,
): Codec {
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
