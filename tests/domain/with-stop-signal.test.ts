import { getMaxListeners } from 'node:events'
import { expect, it } from '@jest/globals'
import { withStopSignal } from '../../scripts/billing/with-stop-signal.ts'

it('lets a long command call the product thousands of times without a warning of Node', async () => {
  // fetch sets 1,500 where the limit is the default one, and leaves 0 as it is.
  const requestsOf = (signal: AbortSignal) => new Request('http://127.0.0.1', { signal })
  const limit = await withStopSignal((signal) => {
    requestsOf(signal)
    return Promise.resolve(getMaxListeners(signal))
  }, 'Stopped.')
  expect(limit).toBe(0)
})
