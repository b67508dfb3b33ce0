import { describe, expect, it } from '@jest/globals'
import { isTransient } from '#projections/engine/run/transient'
import { EventStoreUnavailable } from '#services/event-store/errors'

const withCode = (code: string) => Object.assign(new Error('it failed'), { code })

describe('a failure of a batch', () => {
  it.each([
    ['a refused connection', withCode('ECONNREFUSED')],
    ['a server that starts', withCode('57P03')],
    ['a full disk', withCode('53100')],
    ['a failed disk', withCode('58030')],
    ['a deadlock', withCode('40P01')],
    ['a lock timeout', withCode('55P03')],
    ['a read-only server', withCode('25006')],
    ['a broken connection', new Error('Connection terminated unexpectedly')],
    ['a connection timeout', new Error('timeout expired')],
    ['an unavailable event store', new EventStoreUnavailable(new Error('it was closed'))],
  ])('is transient: %s', (_, error) => {
    expect(isTransient(error)).toBe(true)
  })

  it.each([
    ['a canceled statement', withCode('57014')],
    ['a violated constraint', withCode('23505')],
    ['an error of the read model', new TypeError('x is not a function')],
  ])('is not transient: %s', (_, error) => {
    expect(isTransient(error)).toBe(false)
  })
})
