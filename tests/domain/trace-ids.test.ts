import { describe, expect, it } from '@jest/globals'
import { spanIdOfAppend, traceIdOf } from '#services/tracing/trace-ids'

const append = {
  stream: 'billing-usr_1',
  metadata: { causationId: 'customer usr_1 k', recordedAt: '2026-11-23T10:00:00.000Z' },
}

describe('the ids of a trace', () => {
  it('are those of the correlation id: a UUID without its hyphens', () => {
    expect(traceIdOf('0B9E3F5C-6d1a-4f7e-9a21-3c4d5e6f7a8b')).toBe(
      '0b9e3f5c6d1a4f7e9a213c4d5e6f7a8b',
    )
  })

  it('are a hash of any other correlation id, equal for equal ones', () => {
    expect(traceIdOf('evt_1')).toMatch(/^[0-9a-f]{32}$/)
    expect(traceIdOf('evt_1')).toBe(traceIdOf('evt_1'))
    expect(traceIdOf('evt_1')).not.toBe(traceIdOf('evt_2'))
  })

  it('are equal for the events of one append, and differ for any other append', () => {
    const id = spanIdOfAppend(append)
    expect(id).toMatch(/^[0-9a-f]{16}$/)
    expect(spanIdOfAppend(structuredClone(append))).toBe(id)
    const others = [
      { ...append, stream: 'billing-usr_2' },
      { ...append, metadata: { ...append.metadata, causationId: 'customer usr_1 l' } },
      { ...append, metadata: { ...append.metadata, recordedAt: '2026-11-23T10:00:00.001Z' } },
    ]
    expect(new Set([id, ...others.map(spanIdOfAppend)]).size).toBe(4)
  })
})
