import { describe, expect, it } from '@jest/globals'
import { createSubjectLog } from '#services/event-store/encryption/subject-log'
import type { StreamEvent } from '#services/event-store/event-store'
import { someEvent } from '../../support/data/some-event.ts'

/** A log with one stream. */
function logOf(stream: string, types: readonly string[]) {
  const events: readonly StreamEvent[] = types.map((type, revision) => ({
    ...someEvent({ type, data: {} }),
    stream,
    revision,
  }))
  const of = (name: string) => (name === stream ? events : [])
  return createSubjectLog({
    readStream: async (name) => of(name),
    readLast: async (name) => of(name).at(-1) ?? null,
  })
}

describe('the subject of a personal key', () => {
  const client = 'usr_1/client_1'

  it.each([
    ['usr_1', 'account-usr_1', ['AccountOpened', 'PersonalDataErased']],
    ['hmac/enquiry_1', 'enquiry-enquiry_1', ['EnquirySubmitted', 'EnquiryErased']],
    [client, 'client-client_1', ['ClientAdded', 'ClientErased']],
    [client, 'client-client_1', ['ClientAdded', 'ClientErased', 'CreditReturned']],
    [client, 'client-client_1', ['ClientErased']],
  ])('%s is erased if its stream %s has %j', async (subject, stream, types) => {
    expect(await logOf(stream, types).stateOf(subject)).toBe('erased')
  })

  it('is open before its erasure, and has no events before its first one', async () => {
    const log = logOf('client-client_1', ['ClientAdded', 'ClientChanged'])
    expect(await log.stateOf(client)).toBe('open')
    expect(await log.stateOf('usr_1/client_2')).toBe('no-events')
  })

  it('is not erased by the erasure of its merchant alone', async () => {
    expect(await logOf('merchant-usr_1', ['MerchantErased']).stateOf('usr_1')).toBe('no-events')
  })
})
