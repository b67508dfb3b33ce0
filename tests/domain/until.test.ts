import { describe, expect, it } from '@jest/globals'
import { until } from '../support/machine/until.ts'

describe('until', () => {
  it('returns the first answer that is given, also 0 and an empty text', async () => {
    const answers = [false, null, undefined, 0, 1]
    expect(await until(() => answers.shift())).toBe(0)
    expect(await until(() => Promise.resolve(''))).toBe('')
  })

  it('fails with one sentence after its limit', async () => {
    let asked = 0
    await expect(until(() => (asked += 1) < 0, 'no mail came', 0)).rejects.toThrow(
      'After 0 s no mail came.',
    )
    await expect(
      until(
        () => null,
        () => `${asked} questions had no answer`,
        0,
      ),
    ).rejects.toThrow(/^After 0 s \d+ questions had no answer\.$/)
  })

  it('throws the error of a question at once', async () => {
    await expect(until(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
  })
})
