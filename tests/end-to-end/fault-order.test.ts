import { expect, it } from '@jest/globals'
import { describeFault } from './faults/fault.ts'
import { faultsOf } from './faults/run-faults.ts'

it('a seed gives the same faults in the same order, and another seed gives others', () => {
  const linesOf = (seed: number) => faultsOf({ seed, faults: 500, processes: 2 }).map(describeFault)
  expect(linesOf(1)).toEqual(linesOf(1))
  expect(linesOf(1)).not.toEqual(linesOf(2))
})

it('the sections of a run have all faults of the run in their order', () => {
  const all = { seed: 3, faults: 101, processes: 2 }
  const sections = [1, 2, 3].flatMap((number) => faultsOf({ ...all, section: { number, of: 3 } }))
  expect(sections).toEqual(faultsOf(all))
})
