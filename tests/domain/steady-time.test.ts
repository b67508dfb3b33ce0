import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { createElapsed, createSteadyTime, machineTime } from '#services/foundation/steady-time'
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

describe('the elapsed time of the machine', () => {
  /** Three clocks, and how often the uptime was read. */
  function clocks() {
    const at = { wall: Date.parse(begin), ran: 5, uptime: 70_000, reads: 0 }
    const elapsed = createElapsed({
      wall: () => at.wall,
      ran: () => at.ran,
      uptime: () => {
        at.reads += 1
        return Math.floor(at.uptime / 10) * 10
      },
    })
    const pass = (wall: number, ran: number, uptime: number) => {
      at.wall += wall
      at.ran += ran
      at.uptime += uptime
    }
    return { at, elapsed, pass }
  }

  it('reads the uptime once a second at most, while the clocks agree', () => {
    const { at, elapsed, pass } = clocks()
    const first = elapsed()
    for (let count = 0; count < 99; count += 1) {
      pass(10, 10, 10)
      elapsed()
    }
    expect(at.reads).toBe(1)
    expect(elapsed() - first).toBe(990)
    pass(10, 10, 10)
    expect(elapsed() - first).toBe(1_000)
    expect(at.reads).toBe(2)
  })

  it('counts a sleep at once', () => {
    const { elapsed, pass } = clocks()
    const first = elapsed()
    pass(8 * hour, 3, 8 * hour)
    expect(elapsed() - first).toBe(8 * hour)
  })

  it('does not follow a jump of the system’s time', () => {
    const { elapsed, pass } = clocks()
    const first = elapsed()
    pass(8 * hour, 20, 20)
    expect(elapsed() - first).toBe(20)
  })

  it('never runs backwards', () => {
    const step = fc.tuple(fc.integer({ min: -2_000, max: 5_000 }), fc.nat(1_500), fc.nat(3_000))
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const { elapsed, pass } = clocks()
        let last = elapsed()
        for (const [wall, ran, slept] of steps) {
          pass(wall, ran, ran + slept)
          const now = elapsed()
          expect(now).toBeGreaterThanOrEqual(last)
          last = now
        }
      }),
    )
  })
})
