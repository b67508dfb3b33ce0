import { Command } from 'commander'
import { schemaOf, type ReadModel } from '#projections/engine/read-model'
import type { TableDifference } from '#projections/engine/rebuild/compare-tables'
import { verify, type Verification } from '#projections/engine/rebuild/verify'
import { readModels } from '#projections/read-models'
import type { OperatorContext } from '#services/operations/operator-context'
import { onSourceLog } from '../on-source-log.ts'
import { positiveInteger } from '../positive-integer.ts'
import { showProgress, type Progress } from '../progress.ts'
import { explained } from './explained.ts'
import { namedReadModel, namesOfReadModels } from './named-read-model.ts'

export function verifyCommand(): Command {
  return new Command('verify')
    .argument('[name]', `one of: ${namesOfReadModels}; all of them without a name`)
    .description('Fold the log a second time, and compare row by row with the live tables.')
    .option('--rows <count>', 'how many differing rows of a table to print', positiveInteger, 20)
    .addHelpText(
      'after',
      '\nPrints "equal" or what differs; the exit code is 1 when something differs. Customers go on reading and writing.',
    )
    .action((name: string | undefined, { rows }: { rows: number }) =>
      onSourceLog(async (context) => {
        for (const model of name === undefined ? readModels : [namedReadModel(name)]) {
          const verification = await verifyOne(model, rows, context)
          process.stdout.write(readable(model, verification))
          if (!verification.isEqual) process.exitCode = 1
        }
      }),
    )
}

function verifyOne(
  model: ReadModel,
  maxRows: number,
  { connectionString, store, codec, log }: OperatorContext,
): Promise<Verification> {
  let progress: Progress | null = null
  return explained(
    (signal) =>
      verify({
        connectionString,
        store,
        codec,
        model,
        log,
        signal,
        maxRows,
        onStart: ({ total }) => {
          progress = showProgress({ doing: `Verifying ${schemaOf(model)}`, unit: 'events', total })
        },
        onEvents: (count) => progress?.advance(count),
      }).finally(() => progress?.end()),
    'Stopped: nothing was found out, and nothing is left behind.',
  )
}

/** `users_v1: equal …`, or a line a difference: table, key, column, live value, the log's value. */
export function readable(model: Pick<ReadModel, 'name' | 'version'>, found: Verification): string {
  const lines: string[] = []
  const events = found.events.toLocaleString('en-US')
  if (found.isEqual) {
    lines.push(`${schemaOf(model)}: equal to the log's first ${events} events`)
  } else {
    lines.push(`${schemaOf(model)}: differs from what the log's first ${events} events give`)
    if (found.checkpointMoved !== null) {
      const { counted, position, events: inLog } = found.checkpointMoved
      lines.push(
        `  checkpoint: it counts ${counted.toLocaleString('en-US')} events up to position ${position ?? 'none'}, and the log has ${inLog.toLocaleString('en-US')}: it was set back or forward by hand`,
      )
    }
    for (const table of found.tables) lines.push(...tableLines(table))
    lines.push(`  To make it right: billing projections rebuild ${model.name}`)
  }
  for (const id of found.skippedEventIds) lines.push(`  skipped: event ${id} is in neither`)
  return `${lines.join('\n')}\n`
}

function tableLines({ table, structure, differingRows, rows }: TableDifference): string[] {
  if (structure !== null) return [`  ${table}: ${structure}`]
  const lines = rows.flatMap(({ key, where, columns }) => {
    const row = `${table} ${JSON.stringify(key)}`
    if (where === 'only live') return [`  ${row}: the log gives no such row`]
    if (where === 'only log') return [`  ${row}: the row is missing`]
    return columns.map(
      ({ name, live, log }) =>
        `  ${row} ${name}: live ${JSON.stringify(live)}, log ${JSON.stringify(log)}`,
    )
  })
  const left = differingRows - rows.length
  return left > 0 ? [...lines, `  ${table}: and ${left.toLocaleString('en-US')} rows more`] : lines
}
