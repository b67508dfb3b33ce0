import { Command } from 'commander'
import { EventStoreUnavailable } from '#services/event-store/errors'
import { copyLog, type CopiedLog } from '#services/event-store/transfer/copy-log'
import { StartupError } from '#services/foundation/startup-error'
import { asOperator, type OperatorContext } from '#services/operations/operator-context'
import { refuseWhileRunning, switchLog } from '#services/operations/switch-log'
import { showProgress, type Progress } from '../progress.ts'
import { namesOfLogs, openNamedLog, type NamedLog } from './open-named-log.ts'

interface Options {
  readonly from: string
  readonly to: string
  readonly quick: boolean
  readonly switch: boolean
}

export function copyCommand(): Command {
  return new Command('copy')
    .description('Copy a log into another one, and compare the two.')
    .option('--from <log>', namesOfLogs, 'here')
    .requiredOption('--to <log>', 'the same')
    .option(
      '--quick',
      'compare only what this run brings; for the last run, after one that compared all',
      false,
    )
    .option(
      '--switch',
      'then let the read models and sessions of this environment use the copy; needs the product stopped',
      false,
    )
    .addHelpText(
      'after',
      [
        '',
        'It compares ids, order, revisions and contents to the letter, and prints what differs or "equal". The exit code is 1 when something differs.',
        'If it is stopped or killed, run it again: it resumes. A later run copies the events since then.',
        'docs/operations.md says how to move a running business.',
      ].join('\n'),
    )
    .action((options: Options) => asOperator((context) => copy(options, context)))
}

async function copy(options: Options, context: OperatorContext): Promise<void> {
  // Before a log is opened here, whose connections look the same.
  if (options.switch) await refuseWhileRunning(context.pool, '--switch')
  const from = await openNamedLog(options.from, context, { option: '--from', isToBeWritten: false })
  try {
    const to = await openNamedLog(options.to, context, { option: '--to', isToBeWritten: true })
    try {
      await copyBetween(from, to, options, context)
    } finally {
      await to.close()
    }
  } finally {
    await from.close()
  }
}

async function copyBetween(
  from: NamedLog,
  to: NamedLog,
  options: Options,
  { pool }: OperatorContext,
): Promise<void> {
  if ((await from.store.identity()) === (await to.store.identity()))
    throw new StartupError('--from and --to are the same log: name two.')
  if (options.switch && !to.isOfThisInstallation)
    throw new StartupError(
      '--switch needs a log that this environment can use: an EventStoreDB, or its own database (--to database).',
    )
  let progress: Progress | null = null
  const copied = await copyLog({
    from: from.store,
    to,
    isQuick: options.quick,
    onPart: (part, total) => {
      progress?.end()
      progress = showProgress({ doing: doing[part], unit: 'events', total })
    },
    onEvents: (count) => progress?.advance(count),
  })
    .finally(() => progress?.end())
    .catch((error: unknown) => {
      if (error instanceof EventStoreUnavailable)
        throw new StartupError(
          `${error.message} The copied events are kept: run it again to resume.`,
          { cause: error },
        )
      throw error
    })
  process.stdout.write(readable(copied))
  if (copied.kind !== 'equal') {
    process.exitCode = 1
    return
  }
  if (!to.isOfThisInstallation)
    process.stdout.write(
      "Persons' keys are no part of a log and were not copied: 'backup' and 'restore' move a whole system.\n",
    )
  if (!options.switch) return
  await switchLog(pool, { from: from.store, to: to.store })
  process.stdout.write(
    'Read models and sessions now use the copy. Set EVENTSTORE_URL to it and start the product.\n',
  )
}

const doing = {
  checking: 'Checking what is there',
  copying: 'Copying',
  comparing: 'Comparing',
} as const

export function readable(copied: CopiedLog): string {
  if (copied.kind === 'refused')
    return `${copied.text}\nNothing was copied: --to must be empty, or hold the beginning of --from and nothing else.\n`
  const { problems, compared, streams, copied: newEvents, behind } = copied
  if (copied.kind === 'different') {
    const lines = problems.map((problem) =>
      typeof problem === 'string' ? problem : `${problem.stream}: ${problem.text}`,
    )
    return `${lines.join('\n')}\nNot equal: ${number(newEvents)} events were copied, and the two logs differ.\n`
  }
  const later =
    behind === 0
      ? ''
      : `About ${number(behind)} were written meanwhile: run it again to bring them.\n`
  if (!copied.isComplete)
    return `equal: the ${number(compared)} events that were copied now; those before were compared by an earlier run.\n${later}`
  return `equal: ${number(compared)} events in ${number(streams)} streams, and every chain holds. ${number(newEvents)} of them were copied now.\n${later}`
}

function number(value: number): string {
  return value.toLocaleString('en-US')
}
