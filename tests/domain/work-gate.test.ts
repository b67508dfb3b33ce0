import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import type { Sleep } from '#services/foundation/sleep'
import { createTurns } from '#services/foundation/in-turn'
import { createWorkGate, GateIsFull } from '#services/foundation/work-gate'

describe('a gate for work', () => {
  it('runs two at once, lets three wait in order and refuses the others', async () => {
    const gate = createWorkGate({ atOnce: 2, waiting: 3 })
    let running = 0
    let max = 0
    const done: number[] = []
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, (_, n) =>
        gate.run(async () => {
          running += 1
          max = Math.max(max, running)
          await turn()
          running -= 1
          done.push(n)
        }),
      ),
    )
    expect(max).toBe(2)
    expect(done).toEqual([0, 1, 2, 3, 4])
    expect(
      outcomes.map((each) => each.status === 'rejected' && each.reason instanceof GateIsFull),
    ).toEqual([false, false, false, false, false, true, true, true])
  })

  it('lets the next in after a failure', async () => {
    const gate = createWorkGate({ atOnce: 1, waiting: 1 })
    const failing = gate.run(() => Promise.reject(new Error('broken')))
    const next = gate.run(() => Promise.resolve('done'))
    await expect(failing).rejects.toThrow('broken')
    expect(await next).toBe('done')
    expect(await gate.run(() => Promise.resolve('later'))).toBe('later')
  })
})

describe('a gate whose waits are limited', () => {
  /** A clock that a test moves. */
  function manualSleep() {
    const timers = new Set<{ readonly at: number; readonly ring: () => void }>()
    let now = 0
    const sleep: Sleep = (milliseconds, signal) =>
      new Promise((resolve) => {
        const timer = { at: now + milliseconds, ring: resolve }
        timers.add(timer)
        signal.addEventListener('abort', () => {
          timers.delete(timer)
          resolve()
        })
      })
    return {
      sleep,
      pending: () => timers.size,
      async pass(milliseconds: number) {
        now += milliseconds
        for (const timer of timers)
          if (timer.at <= now) {
            timers.delete(timer)
            timer.ring()
          }
        await turn()
      },
    }
  }

  it('refuses those who waited too long, and not those who came later', async () => {
    const clock = manualSleep()
    const gate = createWorkGate({ atOnce: 1, waiting: 5, longestWaitMs: 1_000 }, clock.sleep)
    const leave = await gate.enter()
    const first = gate.enter().catch((error: unknown) => error)
    await clock.pass(400)
    const second = gate.enter()
    await clock.pass(600)
    expect(await first).toBeInstanceOf(GateIsFull)
    expect(gate.waiting).toBe(1)
    leave()
    const leaveSecond = await second
    expect([gate.running, gate.waiting, clock.pending()]).toEqual([1, 0, 0])
    leaveSecond()
    expect(gate.running).toBe(0)
  })

  it('forgets a caller that gives up while it waits', async () => {
    const clock = manualSleep()
    const gate = createWorkGate({ atOnce: 1, waiting: 5, longestWaitMs: 1_000 }, clock.sleep)
    const leave = await gate.enter()
    const gone = new AbortController()
    const waiting = gate.enter(gone.signal).catch((error: unknown) => error)
    const next = gate.enter()
    gone.abort(new Error('gone'))
    expect(await waiting).toMatchObject({ message: 'gone' })
    expect(gate.waiting).toBe(1)
    leave()
    await next
    expect([gate.running, gate.waiting, clock.pending()]).toEqual([1, 0, 0])
    await expect(gate.enter(gone.signal)).rejects.toThrow('gone')
  })

  it('gives a place back once, however often it is left', async () => {
    const gate = createWorkGate({ atOnce: 2, waiting: 0 })
    const leave = await gate.enter()
    const other = await gate.enter()
    await expect(gate.enter()).rejects.toThrow(GateIsFull)
    leave()
    leave()
    expect(gate.running).toBe(1)
    other()
    expect(gate.running).toBe(0)
  })
})

describe('work in turn', () => {
  it('of one key runs one after the other, also after a failure', async () => {
    const inTurn = createTurns()
    const done: string[] = []
    const work = (name: string, turns: number) => async () => {
      for (let n = 0; n < turns; n += 1) await turn()
      done.push(name)
      if (name === 'a') throw new Error('broken')
    }
    const all = await Promise.allSettled([
      inTurn('one', work('a', 5)),
      inTurn('one', work('b', 1)),
      inTurn('other', work('c', 2)),
    ])
    expect(done).toEqual(['c', 'a', 'b'])
    expect(all.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
  })
})
