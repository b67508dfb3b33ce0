import { Command } from 'commander'
import { schemaOf, type ReadModel } from '#projections/engine/read-model'
import type { TableDifference } from '#projections/engine/rebuild/compare-tables'
import { verify, type Verification } from '#projections/engine/rebuild/verify'
import { readModelIn, readModels } from '#projections/read-models'
import { proveDecoded } from '#services/event-store/encryption/proven-codec'
import { countOf, formatCount } from '#services/foundation/format-count'
import type { OperatorContext } from '#services/operations/operator-context'
import { onSourceLog } from '../on-source-log.ts'
import { positiveInteger } from '../positive-integer.ts'
import { showProgress, type Progress } from '../progress.ts'
import { namedReadModel, namesOfReadModels } from './named-read-model.ts'
import { withOperatorErrors } from './with-operator-errors.ts'
import { print } from '../print.ts'

export function verifyCommand(): Command {
  return new Command('verify')
    .argument('[name]', `one of: ${namesOfReadModels}; without a name, all of them`)
    .description('Fold the log a second time and compare row by row with the live tables.')
    .option(
      '--rows <count>',
      'the number of differing rows to print for each table',
      positiveInteger,
      20,
    )
    .addHelpText(
      'after',
      '\nPrints "equal", or the differences with exit code 1. Customers continue to read and write.',
    )
    .action((name: string | undefined, { rows }: { rows: number }) =>
      onSourceLog(async (context) => {
        for (const model of name === undefined ? readModels : [namedReadModel(name)]) {
          const verification = await verifyOne(model, rows, context)
          print(verificationText(model, verification))
          if (!verification.isEqual) process.exitCode = 1
        }
      }),
    )
}

function verifyOne(
  model: ReadModel,
  maxRows: number,
  { connectionString, store, codec, proof, log, config }: OperatorContext,
): Promise<Verification> {
  let progress: Progress | null = null
  return withOperatorErrors(
    (signal) =>
      verify({
        connectionString,
        store,
        // A forged event stops the command: the operator acts on its result.
        codec: proveDecoded(codec, proof),
        model: readModelIn(model, config.reportingTimeZone),
        log,
        signal,
        maxRows,
        onStart: ({ total }) => {
          progress = showProgress({ doing: `Verifying ${schemaOf(model)}`, unit: 'events', total })
        },
        onEvents: (count) => progress?.advance(count),
      }).finally(() => progress?.end()),
    'Stopped: the verification has no result, and its tables are removed. Run the command again to verify from the start.',
  )
}

/**
 * `users_v7: equal …`, or one line per difference: table, key, column, live value, value from the
 * log.
 */
function verificationText(model: Pick<ReadModel, 'name' | 'version'>, found: Verification): string {
  const lines: string[] = []
  const events = countOf(found.events, 'event')
  if (found.isEqual) {
    lines.push(`${schemaOf(model)}: equal to the log's first ${events}`)
  } else {
    lines.push(`${schemaOf(model)}: differs from the rows of the log's first ${events}`)
    if (found.checkpointMoved !== null) {
      const { counted, position, events: inLog } = found.checkpointMoved
      lines.push(
        `  checkpoint: it counts ${countOf(counted, 'event')} up to position ${position ?? 'none'}, and the log has ${formatCount(inLog)}: the checkpoint was changed by hand`,
      )
    }
    for (const table of found.tables) lines.push(...tableLines(table))
    lines.push(`  To repair it: billing projections rebuild ${model.name}`)
  }
  if (found.parked.length > 0)
    lines.push(
      `  parked: neither side has ${countOf(found.parkedEvents, 'event')} of these streams; 'billing projections retry' folds ${found.parkedEvents === 1 ? 'it' : 'them'}`,
      ...found.parked.map(({ event, reason }) => `    ${event.stream}: ${reason}`),
    )
  for (const id of found.skippedEventIds)
    lines.push(`  skipped: event ${id} is in neither the live rows nor the compared rows`)
  return `${lines.join('\n')}\n`
}

function tableLines({ table, structure, differingRows, rows }: TableDifference): string[] {
  if (structure !== null) return [`  ${table}: ${structure}`]
  const lines = rows.flatMap(({ key, where, columns }) => {
    const row = `${table} ${JSON.stringify(key)}`
    if (where === 'only live') return [`  ${row}: the events give no such row`]
    if (where === 'only log') return [`  ${row}: the live row is missing`]
    return columns.map(
      ({ name, live, log }) =>
        `  ${row} ${name}: live ${JSON.stringify(live)}, log ${JSON.stringify(log)}`,
    )
  })
  const left = differingRows - rows.length
  return left > 0 ? [...lines, `  ${table}: ${formatCount(left)} more rows differ`] : lines
}
