import { Command } from 'commander'
import { EventStoreUnavailable } from '#services/event-store/errors'
import { copyLog, type CopiedLog, type CopyPart } from '#services/event-store/transfer/copy-log'
import { refuseUnfinished } from '#services/event-store/transfer/unfinished-restore'
import { countOf } from '#services/foundation/format-count'
import { StartupError } from '#services/foundation/startup-error'
import { lastComparison, recordComparison } from '#services/operations/compared-logs'
import { asOperator, type OperatorContext } from '#services/operations/operator-context'
import { refuseWhileRunning, switchLog } from '#services/operations/switch-log'
import { showProgress, type Progress } from '../progress.ts'
import { namesOfLogs, openNamedLog, type NamedLog } from './open-named-log.ts'
import { print } from '../print.ts'

interface Options {
  readonly from: string
  readonly to: string
  readonly quick: boolean
  readonly switch: boolean
}

export function copyCommand(): Command {
  return new Command('copy')
    .description('Copy the event log to another log and compare both logs.')
    .option('--from <log>', namesOfLogs, 'here')
    .requiredOption('--to <log>', 'the log to write; accepts the same values as --from')
    .option(
      '--quick',
      'compare only the events after the last run that printed "equal"; without such a run, compare all events',
      false,
    )
    .option(
      '--switch',
      'then switch the read models and sessions of this environment to the copy; stop the product first',
      false,
    )
    .addHelpText(
      'after',
      [
        '',
        'Compares ids, order, revisions and contents exactly. Prints "equal", or the differences with exit code 1.',
        'If the copy is stopped or killed, run it again to resume. A later run copies the events that were appended since.',
        'docs/operations.md describes how to move a running business.',
      ].join('\n'),
    )
    .action((options: Options) => asOperator((context) => copy(options, context)))
}

async function copy(options: Options, context: OperatorContext): Promise<void> {
  await refuseUnfinished(context.pool)
  // This check comes before a log is opened: the log's connections look like those of the product.
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
  const logs = { source: await from.store.identity(), copy: await to.store.identity() }
  if (logs.source === logs.copy)
    throw new StartupError('--from and --to are the same log: name two different logs.')
  if (options.switch && !to.isOfThisInstallation)
    throw new StartupError(
      '--switch needs a log that this environment can use: an EventStoreDB, or its own database (--to database).',
    )
  const comparedBefore = options.quick ? await lastComparison(pool, logs) : null
  let progress: Progress | null = null
  const copied = await copyLog({
    from: from.store,
    to,
    comparedBefore,
    onPart: (part, total) => {
      progress?.end()
      progress = showProgress({ doing: partLabels[part], unit: 'events', total })
    },
    onEvents: (count) => progress?.advance(count),
  })
    .finally(() => progress?.end())
    .catch((error: unknown) => {
      if (error instanceof EventStoreUnavailable)
        throw new StartupError(
          `${error.message} The copied events are kept: run the command again to resume.`,
          { cause: error },
        )
      throw error
    })
  await recordComparison(pool, logs, copied.kind === 'equal' ? copied.end : null)
  print(resultText(copied))
  if (copied.kind !== 'equal') {
    process.exitCode = 1
    return
  }
  if (!to.isOfThisInstallation)
    print(
      "The log has no personal keys, so none were copied. To move a whole system, use 'backup' and 'restore'.\n",
    )
  if (!options.switch) return
  await switchLog(pool, { from: from.store, to: to.store })
  print(
    'Read models and sessions now use the copy. Next: set EVENTSTORE_URL to the copy and start the product.\n',
  )
}

const partLabels: Readonly<Record<CopyPart, string>> = {
  checking: 'Checking the earlier copy',
  verifying: 'Verifying the source',
  copying: 'Copying',
  comparing: 'Comparing',
}

function resultText(copied: CopiedLog): string {
  switch (copied.kind) {
    case 'refused':
      return `${copied.text}\nNothing was copied: --to must be empty or contain only the first events of --from.\n`
    case 'broken': {
      const lines = copied.problems.map(({ stream, text }) => `${stream}: ${text}`)
      return `${lines.join('\n')}\nThe copy stopped: the log of --from has broken hash chains. ${countOf(copied.copied, 'event was', 'events were')} copied by this run, and none of the broken part. Next: 'events verify' on the log of --from; after its repair, run the command again.\n`
    }
    case 'different':
      return `${copied.text}\nNot equal: ${countOf(copied.copied, 'event was', 'events were')} copied, and the logs differ.\n`
    case 'equal':
      return `${equalText(copied)}\n${laterText(copied)}`
  }
}

function equalText({
  compared,
  streams,
  copied,
  isComplete,
}: Extract<CopiedLog, { kind: 'equal' }>): string {
  if (!isComplete)
    return `equal: ${countOf(compared, 'event')} after those that an earlier run compared. ${countOf(copied, 'of them was', 'of them were')} copied now.`
  return `equal: ${countOf(compared, 'event')} in ${countOf(streams, 'stream')}, and every chain holds. ${countOf(copied, 'of them was', 'of them were')} copied now.`
}

function laterText({ behind }: Extract<CopiedLog, { kind: 'equal' }>): string {
  return behind === 0
    ? ''
    : `About ${countOf(behind, 'event was', 'events were')} appended meanwhile: run the command again to copy them.\n`
}
