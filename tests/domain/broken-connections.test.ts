import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { createBrokenConnections } from '#services/postgres/broken-connections'

describe('connections', () => {
  beforeEach(() => {
    jest.useFakeTimers()
  })
  afterEach(() => {
    jest.useRealTimers()
  })

  it('that break together are one line with their number and the first error', () => {
    const lines: object[] = []
    const broke = createBrokenConnections({ warn: (fields: object) => lines.push(fields) })
    const [first, second, later] = [new Error('first'), new Error('second'), new Error('later')]
    broke(first)
    broke(second)
    jest.advanceTimersByTime(400)
    broke(second)
    jest.advanceTimersByTime(100)
    expect(lines).toEqual([{ err: first, connections: 3 }])

    jest.advanceTimersByTime(60_000)
    broke(later)
    jest.advanceTimersByTime(500)
    expect(lines.slice(1)).toEqual([{ err: later, connections: 1 }])
  })
})
