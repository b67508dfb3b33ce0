import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import { createTurns } from '#services/foundation/in-turn'
import { createWorkGate, GateIsFull } from '#services/foundation/work-gate'

describe('a gate for work', () => {
  it('runs two at once, lets three wait in order and refuses the others', async () => {
    const gate = createWorkGate({ atOnce: 2, waiting: 3 })
    let running = 0
    let most = 0
    const done: number[] = []
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, (_, n) =>
        gate.run(async () => {
          running += 1
          most = Math.max(most, running)
          await turn()
          running -= 1
          done.push(n)
        }),
      ),
    )
    expect(most).toBe(2)
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
