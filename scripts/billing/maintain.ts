import { join } from 'node:path'
import { Command } from 'commander'
import { cleanErased } from '#services/accounts/clean-erased'
import { integrityWork } from '#services/event-store/audit/integrity-work'
import { systemClock } from '#services/foundation/clock'
import { errorMessage } from '#services/foundation/error-message'
import { countOf, formatCount } from '#services/foundation/format-count'
import { backupFileName } from '#services/operations/backup/backup-format'
import type { OperatorContext } from '#services/operations/operator-context'
import { cleaningParts } from '#services/read-side/personal-tables'
import { backUp } from './backup.ts'
import { printCheck } from './backup/check.ts'
import { seal } from './events/seal.ts'
import { onSourceLog } from './on-source-log.ts'
import { withStopSignal } from './with-stop-signal.ts'
import { print } from './print.ts'

interface MaintainOptions {
  readonly backup?: string
  readonly manifest?: string
}

export function maintainCommand(): Command {
  return new Command('maintain')
    .description('Verify and seal the log, back it up, check the backup, and clean files.')
    .option('--backup <directory>', 'write a backup into a new directory below this one')
    .option('--manifest <file>', 'also append the seals to a file to publish')
    .addHelpText(
      'after',
      [
        '',
        'Run it every night, at a quiet hour. If a step fails, the others run all the same, and the exit code is 1.',
        "Cleaning rewrites the files of tables of any size after erasures; their readers wait meanwhile. It does not close months: 'billing close' does.",
      ].join('\n'),
    )
    .action((options: MaintainOptions) =>
      onSourceLog(async (context) => {
        await maintain(context, options)
      }),
    )
}

async function maintain(
  context: OperatorContext,
  { backup, manifest }: MaintainOptions,
): Promise<void> {
  await step('Cleaning', () => clean(context))
  await step('The seal', () => seal(context, manifest ?? null))
  if (backup === undefined) print('No backup was taken: name its directory with --backup.\n')
  else await step('The backup', () => backUpAndCheck(context, backup))
  for (const { work, ageSeconds, isEver } of await integrityWork(context.pool))
    if (work === 'close')
      print(
        isEver
          ? `The last month was closed ${countOf(Math.floor(ageSeconds / 86_400), 'day')} ago.\n`
          : 'No month was closed with this installation yet.\n',
      )
}

/** A failed step does not keep the next one from its work. */
async function step(name: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    process.stderr.write(`${name} failed: ${errorMessage(error)}\n`)
    process.exitCode = 1
  }
}

async function clean({ connectionString, pool, keys, store, log }: OperatorContext): Promise<void> {
  const parts = cleaningParts({
    connectionString,
    pool,
    keys,
    store,
    log,
    largestBytes: Infinity,
  })
  const cleaned = await withStopSignal(
    (signal) => cleanErased(parts, signal),
    'Stopped: not every file was rewritten.',
  )
  switch (cleaned.kind) {
    case 'nothing':
      print('No file has texts of erased persons.\n')
      return
    case 'waits':
      throw new Error(cleaned.reason)
    case 'cleaned':
      print(
        `The files of ${formatCount(cleaned.rewritten.length)} tables were rewritten after ${countOf(cleaned.erasures, 'erasure')}.\n`,
      )
      if (cleaned.refused.length > 0)
        throw new Error(`The role may not rewrite ${cleaned.refused.join(', ')}.`)
      return
    default:
      cleaned satisfies never
  }
}

async function backUpAndCheck(context: OperatorContext, parent: string): Promise<void> {
  const name = systemClock.now().toISOString().replaceAll(/[:.]/g, '-')
  const directory = join(parent, name)
  await backUp(directory, context)
  await printCheck(join(directory, backupFileName), context.config)
}
