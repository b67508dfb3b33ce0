import { expect, it } from '@jest/globals'
import { faultKinds } from './faults/fault.ts'
import { repeatCommand, runFaults } from './faults/run-faults.ts'

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
