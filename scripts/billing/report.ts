import { Command, Option } from 'commander'
import { reconciliationName, reconciliationReport } from '#contracts/finance/reconciliation-columns'
import { isReportName, reportNames, reports } from '#contracts/finance/report-columns'
import { errorCodeOrText } from '#services/foundation/error-code'
import { formatCount } from '#services/foundation/format-count'
import { StartupError, UsageError } from '#services/foundation/startup-error'
import { asOperator } from '#services/operations/operator-context'
import { financeLog } from '#services/reports/finance-log'
import { contentOf } from '#services/reports/formats/content-of'
import {
  reportFormats,
  type ReportFile,
  type ReportFormat,
} from '#services/reports/formats/report-file'
import { parseParameters, type GivenParameters } from '#services/reports/parse-parameters'
import { reportByName } from '#services/reports/report-by-name'
import { runReport } from '#services/reports/run-report'
import { unusableOption } from '#services/reports/unusable-option'
import { businessTime } from './business-time.ts'
import { showProgress } from './progress.ts'
import { minutes, reconciliation, unusableForReconciliation } from './reconciliation-report.ts'
import {
  refuseExisting,
  standardOutput,
  writeFileAtomically,
  type WrittenFile,
} from './write-file.ts'
import { refuseWithExitCode2 } from './wrong-argument.ts'

const examples = [
  '  npm run billing -- report revenue --from 2026-01 --to 2026-03',
  '  npm run billing -- report journal --format csv --out /tmp/journal.csv',
  '  npm run billing -- report recognized --as-of 2026-03-31 --known-at 2026-04-05',
]

interface Options extends GivenParameters {
  readonly format: ReportFormat
  readonly out: string
  readonly force: boolean
  readonly explain: boolean
  readonly inFlight?: number
}

export function reportCommand(): Command {
  const command = new Command('report')
    .description('Compute a report of finance from the events of the log.')
    .argument('<name>', 'the report; the list is below')
    .option('--from <month>', 'the first month, such as 2026-01')
    .option('--to <month>', 'the last month')
    .option(
      '--as-of <day>',
      'what was true at the end of this day; default: today; a later day continues the recognition of what is paid',
    )
    .option('--known-at <time>', 'what was known at this time: a day or an instant')
    .option('--currency <code>', 'only the rows of one currency, such as usd')
    .addOption(
      new Option('--format <format>', 'table is for a terminal')
        .choices(reportFormats)
        .default('table'),
    )
    .option('--explain', 'list the events behind each figure', false)
    .option(
      '--in-flight <minutes>',
      'reconciliation: how long the product may take to handle an event of the provider; default: 5',
      minutes,
    )
    .option('--out <file>', 'a new file; - is standard output', standardOutput)
    .option('--force', 'replace the file of --out', false)
    .addHelpText('after', () => {
      const all = { ...reports, [reconciliationName]: reconciliationReport }
      const width = Math.max(...Object.keys(all).map((name) => name.length))
      const lines = Object.entries(all).map(
        ([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`,
      )
      return [
        '\nReports:',
        ...lines,
        '\nExamples:',
        ...examples,
        '\nMonths end in REPORTING_TIME_ZONE. docs/finance.md defines every figure.',
        'A wrong argument, or a file that cannot be written, gives exit code 2.',
        `A difference in the report ${reconciliationName} gives exit code 1.`,
      ].join('\n')
    })
    .action((name: string, options: Options) => report(name, options))
  return refuseWithExitCode2(command)
}

async function report(name: string, { inFlight, ...options }: Options) {
  const { format, out, force, explain, ...given } = options
  if (name !== reconciliationName && !isReportName(name))
    throw new UsageError(
      `There is no report '${name}'. Use ${[...reportNames, reconciliationName].join(', ')}.`,
    )
  const unusable =
    name === reconciliationName
      ? unusableForReconciliation(given, explain)
      : unusableOption(name, given, explain)
  if (unusable !== null) throw new UsageError(unusable)
  if (name !== reconciliationName && inFlight !== undefined)
    throw new UsageError(`The report ${name} reads no provider, so it takes no --in-flight.`)
  if (format === 'xlsx' && out === standardOutput && process.stdout.isTTY)
    throw new UsageError('An XLSX file is not text. Name a file with --out.')
  await refuseExisting(out, { force }).catch(asUsageError)
  const target = { format, out, force }
  if (name === reconciliationName) {
    await reconciliation(given, inFlight, (file) => writeAndName(file, target))
    return
  }

  await asOperator(async ({ config, pool, store, proof }) => {
    const now = await businessTime(pool)
    const parsed = parseParameters(given, config.reportingTimeZone, now)
    if (parsed.kind === 'refused') throw new UsageError(parsed.problem)

    const progress = showProgress({
      doing: `Computing ${name}`,
      unit: 'events',
      total: await store.countAfter(null),
    })
    const file = runReport(
      reportByName(name),
      parsed.parameters,
      { ...financeLog(store, proof), onEvents: progress.advance },
      { computedAt: now, isExplained: explain },
    )
    await writeAndName(file, target, progress.end)
  })
}

async function writeAndName(
  file: ReportFile,
  target: Pick<Options, 'format' | 'out' | 'force'>,
  onEnd: () => void = () => undefined,
): Promise<void> {
  const written = await write(file, target).finally(onEnd)
  if (target.out !== standardOutput && written !== null)
    process.stderr.write(
      `Wrote the report ${file.name} to ${target.out} (${formatCount(written.bytes)} bytes).\n`,
    )
}

/** Null if the reader of standard output wants no more, as in `billing report … | head`. */
async function write(
  file: ReportFile,
  { format, out, force }: Pick<Options, 'format' | 'out' | 'force'>,
): Promise<WrittenFile | null> {
  const stop = new AbortController()
  try {
    return await writeFileAtomically(out, contentOf(file, format, stop.signal), { force })
  } catch (error) {
    if (out === standardOutput && isClosedPipe(error)) return null
    return asUsageError(error)
  } finally {
    stop.abort()
  }
}

function isClosedPipe(error: unknown): boolean {
  return error instanceof StartupError && errorCodeOrText(error.cause) === 'EPIPE'
}

/** A file that exists or cannot be written is a wrong argument. */
function asUsageError(error: unknown): never {
  throw error instanceof StartupError ? new UsageError(error.message) : error
}
