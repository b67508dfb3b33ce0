import { expect, it } from '@jest/globals'
import { createMinuteLine } from '#services/foundation/minute-line'

it('a line that many requests cause is written once per minute, with their number', () => {
  let now = 5
  const written: number[] = []
  const line = createMinuteLine(() => now)
  const cause = () => line((times) => written.push(times))

  cause()
  expect(written).toEqual([1])
  now += 59_999
  cause()
  cause()
  expect(written).toEqual([1])
  now += 1
  cause()
  expect(written).toEqual([1, 3])
})
