import { expect, it } from '@jest/globals'
import { describeFault, faultKinds } from './faults/fault.ts'
import { faultsOf, repeatCommand, runFaults } from './faults/run-faults.ts'

const run = { seed: 7, faults: faultKinds.length, customers: 3, processes: 2 }

it('a run with one fault of each kind loses nothing, doubles nothing and refuses with sentences', async () => {
  const report = await runFaults(run)
  expect(report.problems.map((problem) => `${problem} ${repeatCommand(run)}`)).toEqual([])
  expect([...report.injected.keys()].sort()).toEqual([...faultKinds].sort())
  expect(report.events.get('PaymentSucceeded')).toBeGreaterThan(0)
}, 600_000)

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
