import { parseArgs } from 'node:util'
import { faultKinds } from './fault.ts'
import { runFaults } from './run-faults.ts'

const usage = `npm run test:faults -- [--faults 10000] [--seed <number>] [--customers 12] [--processes 2]

Run the product for a month of the sandbox's clock, with customers who click and faults by chance:
kills, freezes, lost connections, refused writes and mails, disturbed webhooks, jumps of the clock.
Then compare the product with what it told its customers, with the provider and with its log.
10,000 faults take about an hour. A seed repeats the faults and the choices of the customers.
`

const { values } = parseArgs({
  options: {
    faults: { type: 'string', default: '10000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    customers: { type: 'string', default: '12' },
    processes: { type: 'string', default: '2' },
    help: { type: 'boolean', default: false },
  },
})
const [faults, seed, customers, processes] = [
  values.faults,
  values.seed,
  values.customers,
  values.processes,
].map(Number)
const isRange = (value: number | undefined, least: number, most: number): value is number =>
  value !== undefined && Number.isInteger(value) && value >= least && value <= most

if (
  values.help ||
  !isRange(faults, faultKinds.length, 1_000_000) ||
  !isRange(seed, 0, 1_000_000_000) ||
  !isRange(customers, 1, 1_000) ||
  !isRange(processes, 1, 4)
) {
  process.stdout.write(usage)
  if (!values.help)
    process.stderr.write(
      `--faults is a whole number from ${faultKinds.length} to 1,000,000, --seed from 0, --customers from 1 to 1,000, --processes from 1 to 4.\n`,
    )
  process.exit(values.help ? 0 : 2)
}

process.stdout.write(
  `seed ${seed}: ${faults} faults, ${customers} customers, ${processes} processes\n`,
)
const { injected, clicks, refused, broken, problems, seconds } = await runFaults({
  seed,
  faults,
  customers,
  processes,
  onFault: (done) => {
    if (done % 500 === 0) process.stderr.write(`  ${done} faults\n`)
  },
})
for (const kind of faultKinds)
  process.stdout.write(`${String(injected.get(kind) ?? 0).padStart(8)}  ${kind}\n`)
process.stdout.write(
  `${clicks} clicks, ${refused} refused with a sentence, ${broken} with a broken connection, in ${seconds.toFixed(0)} s\n`,
)
for (const problem of problems) process.stdout.write(`- ${problem}\n`)
process.stdout.write(
  `${problems.length === 0 ? 'No' : problems.length} differences. Repeat with --seed ${seed}.\n`,
)
process.exit(problems.length === 0 ? 0 : 1)
