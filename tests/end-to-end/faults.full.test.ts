import { expect, it } from '@jest/globals'
import { describeFault, faultKinds } from './faults/fault.ts'
import { faultsOf, repeatCommand, runFaults } from './faults/run-faults.ts'

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

it('a run with one fault of each kind loses nothing, doubles nothing and refuses with sentences', async () => {
  const run = { seed: 7, faults: faultKinds.length, customers: 3, processes: 2 }
  const report = await runFaults(run)
  expect(report.problems.map((problem) => `${problem} ${repeatCommand(run)}`)).toEqual([])
  expect([...report.injected.keys()].sort()).toEqual([...faultKinds].sort())
  expect(report.events.get('PaymentSucceeded')).toBeGreaterThan(0)
}, 600_000)

it('a run with 150 faults over two processes loses nothing, doubles nothing and refuses with sentences', async () => {
  const run = { seed: Date.now() % 1_000_000, faults: 150, customers: 6, processes: 2 }
  const report = await runFaults(run)
  expect(report.problems.map((problem) => `${problem} ${repeatCommand(run)}`)).toEqual([])
}, 1_800_000)
