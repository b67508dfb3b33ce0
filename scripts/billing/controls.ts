import { Command } from 'commander'
import { createKeylessCodec } from '#services/event-store/encryption/codec'
import type { Control } from '#services/finance/controls/control'
import { controls } from '#services/finance/controls/controls'
import { UsageError } from '#services/foundation/startup-error'
import { asOperator } from '#services/operations/operator-context'
import { runControls } from '#services/reports/control-run'
import { contentOf } from '#services/reports/formats/content-of'
import type { ReportFormat } from '#services/reports/formats/report-file'
import { parseParameters } from '#services/reports/parse-parameters'
import { parkedCommand } from './controls/parked.ts'
import { retryCommand } from './controls/retry.ts'
import { businessTime } from './business-time.ts'
import { showProgress } from './progress.ts'
import { standardOutput, writeFileAtomically } from './write-file.ts'
import { refuseWithExitCode2 } from './wrong-argument.ts'
import { print } from './print.ts'

/** `billing controls …`: the money rules that an auditor checks. */
export function controlsCommand(): Command {
  const command = new Command('controls')
    .description('List the money controls, replay them, and retry parked customers.')
    .addCommand(listCommand())
    .addCommand(runCommand())
    .addCommand(parkedCommand())
    .addCommand(retryCommand())
  return refuseWithExitCode2(command)
}

function listCommand(): Command {
  return new Command('list').description('List the controls and their rules.').action(() => {
    const width = Math.max(...controls.map(({ name }) => name.length))
    for (const { name, sentence } of controls) print(`${name.padEnd(width)}  ${sentence}\n`)
  })
}

const runFormats = ['table', 'csv', 'json'] as const satisfies readonly ReportFormat[]
type RunFormat = (typeof runFormats)[number]

interface RunOptions {
  readonly control?: string
  readonly knownAt?: string
  readonly format: RunFormat
}

function runCommand(): Command {
  return new Command('run')
    .description('Replay the controls since the first event: what fired, and when.')
    .option('--control <name>', 'only this control; default: all')
    .option('--known-at <time>', 'what was known at this time: a day or an instant')
    .option('--format <format>', runFormats.join(', '), runFormat, 'table')
    .addHelpText(
      'after',
      '\nThe running product records the same firings as events. Exit code 1: an event cannot be read, and the firings lack its customer from this event on.',
    )
    .action(run)
}

async function run({ control, knownAt, format }: RunOptions): Promise<void> {
  const chosen = chosenControls(control)
  await asOperator(async ({ config, pool, store, proof }) => {
    const now = await businessTime(pool)
    const parsed = parseParameters({ knownAt }, config.reportingTimeZone, now)
    if (parsed.kind === 'refused') throw new UsageError(parsed.problem)
    const progress = showProgress({
      doing: 'Replaying controls',
      unit: 'events',
      total: await store.countAfter(null),
    })
    const file = runControls(
      chosen,
      parsed.parameters,
      { store, proof, codec: createKeylessCodec(), onEvents: progress.advance },
      now,
    )
    const content = contentOf(file, format, new AbortController().signal)
    await writeFileAtomically(standardOutput, content, { force: false }).finally(progress.end)
    for (const [userId, reason] of file.leftOut())
      process.stderr.write(`The run lacks ${userId} from this event on: ${reason}\n`)
    if (file.leftOut().size > 0) process.exitCode = 1
  })
}

function chosenControls(name: string | undefined): readonly Control[] {
  if (name === undefined) return controls
  const found = controls.filter((control) => control.name === name)
  if (found.length > 0) return found
  throw new UsageError(
    `There is no control '${name}'. Use ${controls.map((control) => control.name).join(', ')}.`,
  )
}

function runFormat(text: string): RunFormat {
  const found = runFormats.find((format) => format === text)
  if (found !== undefined) return found
  throw new UsageError(`There is no format '${text}'. Use ${runFormats.join(', ')}.`)
}
