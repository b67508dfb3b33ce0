import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { event, personal } from '#contracts/events/define-event'
import { createCodec } from '#services/event-store/encryption/codec'
import { UnreadableEvent } from '#services/event-store/errors'
import type { JsonObject, StoredEvent } from '#services/event-store/event-store'
import { someEvent } from '../support/data/some-event.ts'
import { fixedKeys } from '../support/event-store/fixed-keys.ts'

/*
 * How the payload of an event changes over releases, shown on an invented event. For a real event,
 * the upcasters are in contracts/events, and each version has a golden file in
 * tests/contracts/golden.
 */

/** Upcasts version 1, which had a name, and a weight in kilograms as text. */
const inGrams = (data: Record<string, unknown>) => {
  const { weight, recipient, ...rest } = data
  return { ...rest, grams: Math.round(Number(weight) * 1000), to: { name: recipient, city: null } }
}
/** Upcasts version 2, which had no carrier, because there was only one. */
const withCarrier = (data: Record<string, unknown>) => ({ ...data, carrier: 'post' })

const to = personal(z.object({ name: z.string(), city: z.string().nullable() }))
const catalogue = {
  ParcelSent: event(
    ['message'],
    { parcelId: z.string(), grams: z.int(), to, carrier: z.enum(['post', 'courier']) },
    [inGrams, withCarrier],
  ),
}
const keys = fixedKeys({ usr_golden: Buffer.alloc(32, 'golden') })

const stored = (revision: number, schemaVersion: number, data: JsonObject): StoredEvent => ({
  id: `5b1c2b5e-0000-5000-8000-00000000000${schemaVersion}`,
  type: 'ParcelSent',
  stream: 'account-usr_golden',
  revision,
  position: String(revision),
  data,
  metadata: { ...someEvent().metadata, schemaVersion },
})

// Exactly as the earlier releases stored them.
const first = stored(0, 1, {
  parcelId: 'parcel_1',
  weight: '1.25',
  recipient: { $personal: 'v1:BfgqNMsXb9pHYUkmnHpFFMb0/Ph81YV8u5mgTDx2jQpnfmmEhckT5l7aYg==' },
})
const second = stored(1, 2, {
  parcelId: 'parcel_2',
  grams: 90,
  to: {
    $personal:
      'v1:TlrG7c7hCaaNp5JHXTx+Zv03nWPQ1hvFJQwACR6gXko8ZA3eXYJWxv2u3/0gTwncfUfuzoBPWOaynHAphPeCRXXuEvI=',
  },
})

describe('an event whose payload changed twice', () => {
  it('is read from each version as it would be written today', async () => {
    const read = await createCodec(keys, catalogue).decode([first, second])
    expect(read.map(({ data }) => data)).toEqual([
      {
        parcelId: 'parcel_1',
        grams: 1250,
        to: { name: 'Dana Whitlock', city: null },
        carrier: 'post',
      },
      {
        parcelId: 'parcel_2',
        grams: 90,
        to: { name: 'Dana Whitlock', city: 'Duluth' },
        carrier: 'post',
      },
    ])
  })

  it('is also upcast after its person was erased', async () => {
    const read = await createCodec(fixedKeys({}), catalogue).decode([second])
    expect(read[0]?.data).toEqual({
      parcelId: 'parcel_2',
      grams: 90,
      to: '[erased]',
      carrier: 'post',
    })
  })

  it('causes an error if an upcaster is missing or a newer release wrote it', async () => {
    const forgotten = createCodec(keys, {
      ParcelSent: event(['message'], catalogue.ParcelSent.schema.shape, [inGrams]),
    })
    await expect(forgotten.decode([first])).rejects.toThrow(/carrier/)
    await expect(
      createCodec(keys, catalogue).decode([
        { ...second, metadata: { ...second.metadata, schemaVersion: 4 } },
      ]),
    ).rejects.toThrow(UnreadableEvent)
  })
})
