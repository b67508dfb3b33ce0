import { userInfo } from 'node:os'
import { Command } from 'commander'
import { skipEvent } from '#projections/engine/operate/skip-event'
import { projectionStatus } from '#projections/engine/operate/status'
import { schemaOf, type ReadModel } from '#projections/engine/read-model'
import { asOperator, type OperatorContext } from '#services/operations/operator-context'
import { namedReadModel, namesOfReadModels } from './named-read-model.ts'
import { withOperatorErrors } from './with-operator-errors.ts'

export function skipCommand(): Command {
  return new Command('skip')
    .argument('<name>', `one of: ${namesOfReadModels}`)
    .description('Skip the poison event at which a projection is paused.')
    .option(
      '--event <id>',
      'the event to skip; without it, the command prints the event and skips nothing',
    )
    .addHelpText(
      'after',
      '\nThe skip is recorded. The rows lack that event until a rebuild can fold it.',
    )
    .action((name: string, { event }: { event?: string }) =>
      asOperator(async (context) => {
        const model = namedReadModel(name)
        if (event === undefined) {
          process.stdout.write(`${await describePause(model, context)}\n`)
          return
        }
        const connection = await context.pool.connect()
        try {
          const skipped = await withOperatorErrors(
            () => skipEvent(connection, model, event, userInfo().username),
            'Stopped.',
          )
          process.stdout.write(
            `${schemaOf(model)} resumes after ${skipped.type} (${skipped.stream}, revision ${skipped.revision}). Recorded; 'billing projections status' shows the skip.\n`,
          )
        } finally {
          connection.release()
        }
      }),
    )
}

async function describePause(model: ReadModel, { pool }: OperatorContext): Promise<string> {
  const status = (await projectionStatus(pool)).find(
    ({ name, version }) => name === model.name && version === model.version,
  )
  if (!status?.pausedEvent) return `${schemaOf(model)} is not paused. There is nothing to skip.`
  const { id, type, stream, revision } = status.pausedEvent
  return [
    `${schemaOf(model)} is paused at ${type} (${stream}, revision ${revision}): ${status.reason}`,
    `The rows will lack this event. To skip the event: billing projections skip ${model.name} --event ${id}`,
  ].join('\n')
}
