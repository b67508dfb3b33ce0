import { describe, expect, it } from '@jest/globals'
import { createFairGate, type NoPlace } from '#services/http/admission/fair-gate'
import type { Leave } from '#services/foundation/work-gate'
import type { Sleep } from '#services/foundation/sleep'

/** A gate of four places and a queue of four, with shares of two. `pass` ends the longest waits. */
function gateOfFour(now: () => number = () => 0) {
  const ends = new Set<() => void>()
  const sleep: Sleep = (_milliseconds, signal) =>
    new Promise((resolve) => {
      ends.add(resolve)
      signal.addEventListener('abort', () => resolve())
    })
  const gate = createFairGate(
    { atOnce: 4, waiting: 4, share: { atOnce: 2, waiting: 2 }, longestWaitMs: 1_000 },
    sleep,
    now,
  )
  const begun: string[] = []
  const refused: Record<string, NoPlace> = {}
  const leaves = new Map<string, Leave>()
  return {
    gate,
    begun,
    refused,
    enter(name: string, parties: readonly string[], signal = new AbortController().signal) {
      const reason = gate.arrive(parties)
      if (reason !== null) {
        refused[name] = reason
        return
      }
      gate.enter(parties, signal, {
        begin: (leave) => {
          begun.push(name)
          leaves.set(name, leave)
        },
        refuse: (reason) => (refused[name] = reason),
      })
    },
    leave: (name: string) => leaves.get(name)?.(),
    async pass() {
      for (const end of ends) end()
      await Promise.resolve()
      await Promise.resolve()
    },
  }
}

describe('a party with more work than its share', () => {
  it('leaves the other places free, waits within its share of the queue, and is refused beyond', () => {
    const { gate, enter, begun, refused } = gateOfFour()
    for (const name of ['1', '2', '3', '4', '5']) enter(name, ['network a'])
    expect(begun).toEqual(['1', '2'])
    expect(gate.waiting).toBe(2)
    expect(refused).toEqual({ 5: 'own share' })
    enter('b', ['network b'])
    expect(begun).toEqual(['1', '2', 'b'])
  })

  it('begins its next when one of its own ends', () => {
    const { enter, leave, begun } = gateOfFour()
    for (const name of ['1', '2', '3']) enter(name, ['network a'])
    leave('1')
    leave('1')
    expect(begun).toEqual(['1', '2', '3'])
  })

  it.each([
    ['a session on many networks', (n: number) => ['session s', `network ${n}`]],
    ['a network with many sessions', (n: number) => [`session ${n}`, 'network a']],
  ])('is also %s', (_what, parties) => {
    const { enter, begun, refused } = gateOfFour()
    for (let n = 1; n <= 6; n += 1) enter(String(n), parties(n))
    expect(begun).toEqual(['1', '2'])
    expect(Object.values(refused)).toEqual(['own share', 'own share'])
  })

  it('is refused for its share after the longest wait, and others because all is full', async () => {
    const { enter, pass, refused } = gateOfFour()
    for (const name of ['1', '2', '3']) enter(name, ['a'])
    for (const name of ['4', '5']) enter(name, ['b'])
    enter('6', ['c'])
    await pass()
    expect(refused).toEqual({ 3: 'own share', 6: 'full' })
  })
})

describe('the next place', () => {
  it('goes to the party that has the least, whoever came first', () => {
    const { enter, leave, begun } = gateOfFour()
    enter('a1', ['a'])
    enter('a2', ['a'])
    enter('b1', ['b'])
    enter('c1', ['c'])
    enter('b2', ['b'])
    enter('d1', ['d'])
    leave('c1')
    leave('a1')
    expect(begun.slice(4)).toEqual(['d1', 'b2'])
  })

  it('goes to the party that had the least lately, until 20 s later', () => {
    let now = 0
    const { enter, leave, begun } = gateOfFour(() => now)
    for (let n = 0; n < 9; n += 1) {
      enter(`busy${n}`, ['busy'])
      leave(`busy${n}`)
    }
    const fill = (round: string) => {
      for (const name of ['w', 'x', 'y', 'z']) enter(name + round, [name])
      enter(`busy${round}`, ['busy'])
      enter(`quiet${round}`, ['quiet'])
      leave(`w${round}`)
      const next = begun.at(-1)
      for (const name of ['x', 'y', 'z', 'busy', 'quiet']) leave(name + round)
      return next
    }
    expect(fill('1')).toBe('quiet1')
    now = 20_000
    expect(fill('2')).toBe('busy2')
  })

  it('goes within a network to the session that has the least', () => {
    const { enter, leave, begun } = gateOfFour()
    enter('s1', ['office', 's'])
    enter('s2', ['office', 's'])
    enter('s3', ['office', 's'])
    enter('t1', ['office', 't'])
    leave('s1')
    expect(begun).toEqual(['s1', 's2', 't1'])
  })
})

describe('a full queue', () => {
  it('gives the place of the party that has the most to one that has less', () => {
    const { gate, enter, begun, refused } = gateOfFour()
    for (const name of ['a1', 'a2', 'a3', 'a4']) enter(name, ['a'])
    for (const name of ['b1', 'b2', 'b3', 'b4']) enter(name, ['b'])
    expect(gate.waiting).toBe(4)
    enter('c1', ['c'])
    expect(refused).toEqual({ b4: 'full' })
    expect(gate.arrive(['a'])).toBe('own share')
    expect(begun).toHaveLength(4)
  })

  it('of a network takes a request of another session instead of the busy session', () => {
    const { enter, refused } = gateOfFour()
    for (const name of ['1', '2', '3', '4']) enter(name, ['office', 's'])
    enter('t', ['office', 't'])
    expect(refused).toEqual({ 4: 'own share' })
  })

  it('refuses a party that has as much as the others', () => {
    const { enter, refused } = gateOfFour()
    for (let n = 0; n < 8; n += 1) enter(String(n), [`network ${n}`])
    enter('8', ['network 8'])
    expect(refused).toEqual({ 8: 'full' })
  })
})

it('a request that is cancelled leaves the queue', () => {
  const { gate, enter, leave, begun } = gateOfFour()
  const gone = new AbortController()
  for (const name of ['1', '2']) enter(name, ['a'])
  enter('3', ['a'], gone.signal)
  gone.abort()
  leave('1')
  expect(begun).toEqual(['1', '2'])
  expect([gate.running, gate.waiting]).toEqual([1, 0])
})

it('a network that tries again at once loses its place in the queue to one that came now', () => {
  const { enter, refused } = gateOfFour()
  const networks = Array.from({ length: 20 }, (_, n) => [`hasty ${n}`])
  // Eight are in, and the others try again and again.
  for (let round = 0; round < 3; round += 1) for (const parties of networks) enter('hasty', parties)
  enter('patient', ['patient'])
  expect(refused).toEqual({ hasty: 'full' })
})

it('with 100 busy networks, every quiet one begins before their second request', () => {
  const { enter, leave, begun, refused } = gateOfFour()
  let name = 0
  for (let n = 0; n < 100; n += 1) {
    for (const each of ['x', 'y']) {
      name += 1
      enter(`${each}${name}`, [`busy ${n}`])
    }
    if (n % 10 === 0) enter(`quiet${n}`, [`quiet ${n}`])
    for (const each of begun.slice()) leave(each)
  }
  expect(Object.keys(refused).filter((each) => each.startsWith('quiet'))).toEqual([])
  expect(begun.filter((each) => each.startsWith('quiet'))).toHaveLength(10)
})
