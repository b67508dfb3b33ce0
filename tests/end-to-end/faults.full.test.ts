import { expect, it } from '@jest/globals'
import { faultKinds } from './faults/fault.ts'
import { runFaults } from './faults/run-faults.ts'

it('a run with one fault of each kind loses nothing, doubles nothing and refuses with sentences', async () => {
  const report = await runFaults({
    seed: 7,
    faults: faultKinds.length,
    customers: 2,
    processes: 1,
  })
  expect(report.problems).toEqual([])
  expect([...report.injected.keys()].sort()).toEqual([...faultKinds].sort())
  expect(report.clicks).toBeGreaterThan(20)
}, 300_000)
