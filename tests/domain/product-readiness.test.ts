import { describe, expect, it } from '@jest/globals'
import { createProductReadiness } from '#services/health/product-readiness'

const waiting = { waiting: 2, failing: 0, dead: 0, oldestSeconds: 5 }
const readinessOf = (changes: Partial<Parameters<typeof createProductReadiness>[0]> = {}) =>
  createProductReadiness({
    isStopping: () => false,
    measured: async () => ({ isReady: true, reasons: ['The read models are old.'] }),
    outbox: async () => waiting,
    addTo: (found) => found,
    newerRelease: { forgetCorrected: async () => undefined, sentence: () => null },
    store: { readStream: async () => [] },
    outside: { reasons: () => [] },
    ...changes,
  })()

describe('what /readyz answers', () => {
  it('has the reasons of all parts, and the waiting effects', async () => {
    const answer = await readinessOf({
      addTo: (found) => ({ ...found, reasons: [...found.reasons, 'A price differs.'] }),
      newerRelease: { forgetCorrected: async () => undefined, sentence: () => 'A newer release.' },
      outside: { reasons: () => ['The mail server has not answered for 9 s.'] },
    })
    expect(answer).toEqual({
      isReady: true,
      reasons: [
        'The read models are old.',
        'A price differs.',
        'A newer release.',
        'The mail server has not answered for 9 s.',
      ],
      outbox: waiting,
    })
  })

  it('is not ready while the process stops, and measures nothing', async () => {
    const measured = () => Promise.reject(new Error('not called'))
    expect(await readinessOf({ isStopping: () => true, measured })).toEqual({
      isReady: false,
      reasons: ['This process is stopping.'],
    })
  })

  it('is ready if the corrected events cannot be read: other checks report an outage', async () => {
    const forgetCorrected = () => Promise.reject(new Error('no answer'))
    const answer = await readinessOf({ newerRelease: { forgetCorrected, sentence: () => null } })
    expect(answer.isReady).toBe(true)
  })
})
