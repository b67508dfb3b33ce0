import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { createSteadyTime, machineTime } from '#services/foundation/steady-time'
import { settableTime } from '../support/machine/settable-time.ts'

const hour = 3_600_000
const begin = '2026-03-03T09:00:00.000Z'
const at = Date.parse(begin)

describe('steady time', () => {
  it('follows a correction of the system’s time of up to 1 hour', () => {
    const time = settableTime(begin)
    const read = createSteadyTime(time)
    time.jump(hour)
    expect(read()).toEqual({ now: at + hour, jumpedTo: null })
    time.jump(-hour)
    expect(read()).toEqual({ now: at, jumpedTo: null })
  })

  it.each([hour + 1, -hour - 1])(
    'continues by the monotonic clock while the system’s time has jumped by %i ms',
    (jump) => {
      const time = settableTime(begin)
      const read = createSteadyTime(time)
      time.jump(jump)
      expect(read()).toEqual({ now: at, jumpedTo: at + jump })
      time.pass(5_000)
      expect(read()).toEqual({ now: at + 5_000, jumpedTo: at + jump + 5_000 })
      time.jump(-jump)
      expect(read()).toEqual({ now: at + 5_000, jumpedTo: null })
    },
  )

  it('accepts the hours that a machine sleeps, because the monotonic clock counts sleep', () => {
    const time = settableTime(begin)
    const read = createSteadyTime(time)
    time.pass(10 * hour)
    expect(read()).toEqual({ now: at + 10 * hour, jumpedTo: null })
  })

  it('equals real time after any jumps of more than 1 hour that are corrected or still last', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 0, max: 50 * hour }) }),
      fc.record({
        kind: fc.constant('jump' as const),
        ms: fc
          .integer({ min: hour + 1, max: 20_000 * hour })
          .chain((ms) => fc.constantFrom(ms, -ms)),
      }),
      fc.record({ kind: fc.constant('correct' as const), ms: fc.constant(0) }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 50 }), (steps) => {
        const time = settableTime(begin)
        const read = createSteadyTime(time)
        // The model: real time, and how far the system's time is off.
        let [real, off] = [at, 0]
        for (const { kind, ms } of steps) {
          if (kind === 'pass') {
            time.pass(ms)
            real += ms
          } else {
            const next = kind === 'correct' ? 0 : ms
            time.jump(next - off)
            off = next
          }
          expect(read()).toEqual({ now: real, jumpedTo: off === 0 ? null : real + off })
        }
      }),
    )
  })
})

it('the machine’s monotonic clock runs as fast as the system’s time', async () => {
  const read = createSteadyTime(machineTime)
  const before = machineTime.elapsed()
  await new Promise((resolve) => setTimeout(resolve, 30))
  expect(machineTime.elapsed()).toBeGreaterThan(before)
  expect(read().jumpedTo).toBeNull()
})
