import { parseArgs } from 'node:util'
import { describeFault, faultKinds } from './fault.ts'
import { faultsOf, repeatCommand, runFaults, type FaultReport, type Section } from './run-faults.ts'

const usage = `npm run test:faults -- [--faults 10000] [--seed <number>] [--customers 12] [--processes 2]
                       [--section <k>/<n>] [--plan]

Run the product for a month of the sandbox's clock, with customers who click and faults by chance:
kills, freezes, lost connections, a full disk, refused writes and mails, disturbed webhooks, jumps
of the clock. Then compare the product with what it confirmed to its customers, with the provider and
with its log. Problems are printed when they occur, and the run continues.

  --section 2/4  the second quarter of the faults only, with a new product
  Ctrl-C         end the faults now, then compare
  --plan         print the faults of the run in their order, and run nothing

A seed repeats the faults and the choices of the customers. docs/testing.md has the time that
10,000 faults take.
`

const { values } = parseArgs({
  options: {
    faults: { type: 'string', default: '10000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    customers: { type: 'string', default: '12' },
    processes: { type: 'string', default: '2' },
    section: { type: 'string', default: '1/1' },
    plan: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const [faults, seed, customers, processes] = [
  values.faults,
  values.seed,
  values.customers,
  values.processes,
].map(Number)
const section = parseSection(values.section)
const isRange = (value: number | undefined, min: number, max: number): value is number =>
  value !== undefined && Number.isInteger(value) && value >= min && value <= max

if (
  values.help ||
  !isRange(faults, faultKinds.length, 1_000_000) ||
  !isRange(seed, 0, 1_000_000_000) ||
  !isRange(customers, 1, 1_000) ||
  !isRange(processes, 1, 4) ||
  section === null
) {
  process.stdout.write(usage)
  if (!values.help)
    process.stderr.write(
      `--faults is a whole number from ${faultKinds.length} to 1,000,000, --seed from 0 to 1,000,000,000, --customers from 1 to 1,000, --processes from 1 to 4, --section a part such as 2/4.\n`,
    )
  process.exit(values.help ? 0 : 2)
}

const run = { seed, faults, customers, processes, section }
if (values.plan) {
  for (const planned of faultsOf(run)) process.stdout.write(`${describeFault(planned)}\n`)
  process.exit(0)
}

const planned = faultsOf(run).length
process.stdout.write(
  `seed ${seed}: ${planned} faults, ${customers} customers at a time, ${processes} processes\n`,
)
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
const began = performance.now()
let injected = 0
const report = await runFaults({
  ...run,
  signal: stop.signal,
  onFault: (done, { clicks, refused, broken, memory }) => {
    injected = done
    if (done % 100 !== 0) return
    const minutes = (performance.now() - began) / 60_000
    process.stdout.write(
      `  ${done} faults, ${(done / minutes).toFixed(0)} per min, ${clicks} clicks, ${refused} refused, ${broken} broken, memory ${memory.join(' and ')} MB, of this run ${Math.round(process.memoryUsage.rss() / 2 ** 20)} MB\n`,
    )
  },
  onPhase: (phase) =>
    process.stdout.write(`${((performance.now() - began) / 1_000).toFixed(0)} s: ${phase}\n`),
  onProblem: (problem) => process.stdout.write(`- after ${injected} faults: ${problem}\n`),
})
print(report)
process.stdout.write(
  `${report.problems.length === 0 ? 'No' : report.problems.length} differences. Repeat with: ${repeatCommand(run)}\n`,
)
process.exit(report.problems.length === 0 ? 0 : 1)

function print(report: FaultReport): void {
  for (const kind of faultKinds)
    process.stdout.write(`${String(report.injected.get(kind) ?? 0).padStart(8)}  ${kind}\n`)
  process.stdout.write('Events:\n')
  for (const [type, count] of report.events)
    process.stdout.write(`${String(count).padStart(8)}  ${type}\n`)
  process.stdout.write('Logged:\n')
  for (const [message, count] of report.logged.slice(0, 60))
    process.stdout.write(`${String(count).padStart(8)}  ${message}\n`)
  if (report.whyNoDisk !== null)
    process.stdout.write(
      `The disk was not full: ${report.whyNoDisk}. The database refused new events instead.\n`,
    )
  process.stdout.write(
    `${report.customers} customers, ${report.clicks} clicks, ${report.refused} refused with a sentence, ${report.broken} with a broken connection\n` +
      `faults in ${report.faultSeconds.toFixed(0)} s (waited ${report.partSeconds.toFixed(0)} s for a fault of the same part, ${report.servedSeconds.toFixed(0)} s for the product), all in ${report.seconds.toFixed(0)} s\n`,
  )
}

function parseSection(text: string): Section | null {
  const [, number, of] = (/^(\d{1,3})\/(\d{1,3})$/.exec(text) ?? []).map(Number)
  return number !== undefined && of !== undefined && number >= 1 && number <= of
    ? { number, of }
    : null
}
