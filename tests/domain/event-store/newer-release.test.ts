import { describe, expect, it } from '@jest/globals'
import type { StreamEvent } from '#services/event-store/event-store'
import { NewerEvent } from '#services/event-store/newer-event'
import { createNewerRelease } from '#services/event-store/newer-release'
import { someEvent } from '../../support/data/some-event.ts'

const stored: StreamEvent = { ...someEvent(), stream: 'billing-usr_1', revision: 3 }
const errorOf = (writtenBy: string | null, event = stored) =>
  new NewerEvent(event, { schemaVersion: 1, writtenBy, known: undefined, field: null })
const logOf = (...events: readonly StreamEvent[]) => ({
  readStream: async (stream: string) => events.filter((event) => event.stream === stream),
})

function newerRelease() {
  return createNewerRelease({ warn: () => undefined })
}

describe('the sentence about a newer release', () => {
  it('says that the other customers are served while no reader waits', () => {
    const newer = newerRelease()
    newer.met(errorOf('99.1.0'))
    expect(newer.sentence(true)).toMatch(
      /^A newer release is needed: 99\.1\.0\. .*Readers that wait: none\. All other customers are served\.$/,
    )
  })

  it('says that the readers that wait lack the later events of all customers', () => {
    const newer = newerRelease()
    newer.waits('users_v7', errorOf('99.1.0'))
    expect(newer.sentence(true)).toMatch(
      /Readers that wait: users_v7\. Until they continue, they read no later event of any customer\.$/,
    )
    newer.continues('users_v7')
    expect(newer.sentence(true)).toContain('All other customers are served.')
  })

  it('ends when each event that was met is corrected in the log', async () => {
    const other: StreamEvent = { ...stored, id: 'other', stream: 'billing-usr_2' }
    const newer = newerRelease()
    newer.met(errorOf('99.1.0'))
    newer.met(errorOf(null, other))
    await newer.forgetCorrected(logOf(stored, other))
    expect(newer.releases()).toEqual(['99.1.0', 'unknown'])

    await newer.forgetCorrected(logOf(stored, { ...other, type: 'SignedOut' }))
    expect(newer.releases()).toEqual(['99.1.0'])
    expect(newer.sentence(true)).toContain(stored.id)
    await newer.forgetCorrected(logOf({ ...stored, type: 'SignedOut' }))
    expect([newer.releases(), newer.sentence(true)]).toEqual([[], null])
  })
})
