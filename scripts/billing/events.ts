import { Command } from 'commander'
import { asOperator } from '#services/operator-context'

/** `billing events …`: the log itself. */
export function eventsCommand(): Command {
  const events = new Command('events').description('Look at the event log.')
  events
    .command('show <stream>')
    .description('Prints a stream, an event a line of JSON, decrypted as its readers see it.')
    .action((stream: string) =>
      asOperator(async ({ store, codec }) => {
        for (const event of await codec.decode(await store.readStream(stream))) process.stdout.write(`${JSON.stringify(event)}\n`)
      }))
  return events
}
