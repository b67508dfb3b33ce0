import { expect, it } from '@jest/globals'
import { setImmediate } from 'node:timers/promises'
import { withStopSignal } from '../../scripts/billing/with-stop-signal.ts'

it('a long command can call the product thousands of times without a warning', async () => {
  const warnings: string[] = []
  const note = ({ message }: Error) => warnings.push(message)
  process.on('warning', note)
  try {
    await withStopSignal(async (signal) => {
      const requests = Array.from(
        { length: 1_600 },
        () => new Request('http://127.0.0.1', { signal }),
      )
      expect(requests).toHaveLength(1_600)
      await setImmediate()
    }, 'Stopped.')
    expect(warnings).toEqual([])
  } finally {
    process.off('warning', note)
  }
})
