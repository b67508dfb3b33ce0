import { describe, expect, it } from '@jest/globals'
import { pathOf } from '#services/billing/comparison/history-path'
import type { Change } from '#services/payments/provider-change'

const second = (n: number) => `2026-03-10T08:00:0${n}.000Z`
const change = (n: number, from: string, to: string): Change<string> => ({
  at: second(n),
  from,
  to,
})
const isEqual = (a: string, b: string) => a === b
const path = (
  changes: readonly Change<string>[],
  ends: { from: string; to: string; since?: number },
) =>
  pathOf(
    changes,
    {
      from: ends.from,
      since: ends.since === undefined ? null : second(ends.since),
      to: { value: ends.to },
    },
    isEqual,
  )

describe('the path from the recorded value to the present value', () => {
  it('leaves out changes that are recorded', () => {
    const changes = [change(1, 'a', 'b'), change(2, 'b', 'a'), change(3, 'a', 'b')]
    expect(path(changes, { from: 'a', to: 'b', since: 2 })).toEqual(changes.slice(2))
  })

  it('links changes of one second by their values, in whatever order they are listed', () => {
    const changes = [change(1, 'b', 'a'), change(1, 'a', 'b')]
    expect(path(changes, { from: 'a', to: 'a' })).toEqual([changes[1], changes[0]])
  })

  it('never goes back in time', () => {
    const changes = [change(1, 'b', 'c'), change(2, 'a', 'b')]
    expect(path(changes, { from: 'a', to: 'b' })).toEqual(changes.slice(1))
  })

  it('has a change of the second of the last recorded change, if the value differs', () => {
    const changes = [change(1, 'a', 'b'), change(1, 'b', 'a')]
    expect(path(changes, { from: 'b', to: 'a', since: 1 })).toEqual(changes.slice(1))
  })

  it('ends at the present value', () => {
    const changes = [change(1, 'a', 'b'), change(2, 'b', 'c')]
    expect(path(changes, { from: 'a', to: 'b' })).toEqual(changes.slice(0, 1))
  })

  it('has the changes that the events show, if they do not lead to the present value', () => {
    const changes = [change(1, 'a', 'b')]
    expect(path(changes, { from: 'a', to: 'c' })).toEqual(changes)
  })
})
