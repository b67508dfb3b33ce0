import { describe, expect, it } from '@jest/globals'
import {
  AccessDeniedError,
  CancelledError,
  DeadlineExceededError,
  MaxAppendSizeExceededError,
  NotLeaderError,
  StreamNotFoundError,
  TimeoutError,
  UnavailableError,
  UnknownError,
  WrongExpectedVersionError,
} from '@eventstore/db-client'
import { EventStoreUnavailable, WrongExpectedRevision } from '#services/event-store/errors'
import { withServerTimeout } from '#services/event-store/eventstoredb/with-server-timeout'
import { retryWhileUnavailable } from '#services/event-store/eventstoredb/retry-while-unavailable'
import { explained, isUnavailable } from '#services/event-store/eventstoredb/unavailable'
import { grpcError } from '../../support/event-store/grpc-error.ts'

const refused = grpcError(
  14,
  'UNAVAILABLE: No connection established. Last error: connect ECONNREFUSED 127.0.0.1:2113',
)
const notLeader = grpcError(5, 'Leader info available', {
  'leader-endpoint-host': '127.0.0.1',
  'leader-endpoint-port': '2114',
})

describe('an unavailable EventStoreDB', () => {
  it.each([
    new UnknownError(undefined, 'Could not recognize Server Is Not Ready'),
    new UnavailableError(grpcError(14, 'Server Is Not Ready')),
  ])('that is starting is described in plain words', (error) => {
    expect(explained(error)).toMatchObject({
      message:
        'The event store cannot be reached (the server is still starting). Try again in a moment. No append was written in part.',
    })
  })

  it.each<[string, unknown]>([
    ['stopped, on an append', refused],
    ['stopped, on a read', new UnavailableError(refused)],
    ['starting', new UnknownError(undefined, 'Could not recognize Server Is Not Ready')],
    ['starting, on a read', new UnavailableError(grpcError(14, 'Server Is Not Ready'))],
    ['busy', new UnknownError(undefined, 'Could not recognize Server Is Busy')],
    ['a follower', new NotLeaderError(notLeader)],
    [
      'electing',
      new UnknownError(undefined, 'Could not recognize No leader info available in response'),
    ],
    ['electing, on a read', new UnknownError(grpcError(2, 'No leader info available in response'))],
    ['late with its flush', new DeadlineExceededError()],
    [
      'late with its flush, on a single append',
      new TimeoutError(grpcError(10, 'Operation timed out: Commit phase timeout.')),
    ],
    ['stopping', new CancelledError(grpcError(1, 'Call canceled by the server'))],
    [
      'with a broken connection',
      grpcError(13, 'Received RST_STREAM with code 2 (Internal server error)'),
    ],
    [
      'closed by the product, on another call',
      new UnknownError(grpcError(1, 'Cancelled on client')),
    ],
    ['not found by cluster discovery', new Error('Failed to discover after 10 attempts.')],
    ['called through a replaced channel', new Error('Channel has been shut down')],
  ])('gives the retryable error EventStoreUnavailable: %s', (_, error) => {
    expect(isUnavailable(error)).toBe(true)
    expect(explained(error)).toBeInstanceOf(EventStoreUnavailable)
    expect((explained(error) as Error).message).toMatch(
      /^The event store cannot be reached \(.+\)\. Try again/,
    )
  })

  it.each<[string, unknown]>([
    [
      'a conflict',
      new WrongExpectedVersionError(undefined, {
        streamName: 'a',
        expected: 'no_stream',
        current: 3n,
      }),
    ],
    ['an append too large', MaxAppendSizeExceededError.fromMaxAppendSize(1_048_576)],
    [
      'a stream that does not exist',
      new StreamNotFoundError(grpcError(5, 'stream not found'), 'a'),
    ],
    ['a wrong password', new AccessDeniedError(grpcError(16, 'Unauthenticated'))],
    ['a conflict that the product detects', new WrongExpectedRevision('a', 0, 1)],
    ['a defect of the product', new TypeError('x is not a function')],
  ])('is not the reason of another error: %s', (_, error) => {
    expect(isUnavailable(error)).toBe(false)
    expect(explained(error)).toBe(error)
  })
})

describe('a call', () => {
  const signal = new AbortController().signal

  it('is retried until the server answers', async () => {
    let calls = 0
    expect(
      await retryWhileUnavailable(
        () => (++calls < 4 ? Promise.reject(refused) : Promise.resolve('done')),
        signal,
      ),
    ).toBe('done')
  })

  it('fails with EventStoreUnavailable after a bounded time', async () => {
    const began = Date.now()
    await expect(retryWhileUnavailable(() => Promise.reject(refused), signal, 300)).rejects.toThrow(
      EventStoreUnavailable,
    )
    // The default is 6 s.
    expect(Date.now() - began).toBeLessThan(5_000)
  })

  it('is not retried after an answer or after the store was closed', async () => {
    let calls = 0
    const call = (error: Error) => () => {
      calls += 1
      return Promise.reject(error)
    }
    await expect(
      retryWhileUnavailable(call(new WrongExpectedRevision('a', 0, 1)), signal),
    ).rejects.toThrow(WrongExpectedRevision)
    await expect(retryWhileUnavailable(call(refused), AbortSignal.abort())).rejects.toThrow(
      EventStoreUnavailable,
    )
    expect(calls).toBe(2)
  })

  it('without an answer fails after the timeout of the client', async () => {
    await expect(withServerTimeout(50, () => new Promise(() => undefined))).rejects.toThrow(
      /no answer within 0\.05 s/,
    )
    expect(await withServerTimeout(50, () => Promise.resolve(1))).toBe(1)
  })
})
