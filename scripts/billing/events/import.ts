import { Command } from 'commander'
import { importLog } from '#services/event-store/import-log'
import { asOperator } from '#services/operator-context'
import { showProgress } from '../progress.ts'

export function importCommand(): Command {
  return new Command('import')
    .argument('<file>', "what 'events export' wrote")
    .description('Brings an export into an empty log. Ids, order, revisions and times stay as they were. PostgreSQL takes all of it or nothing; what was stopped half-way on EventStoreDB is finished by the same command.')
    .action((file: string) =>
      asOperator(async ({ config, pool, eventLog }) => {
        const progress = showProgress({ doing: 'Importing', unit: 'lines', total: null })
        const { events, keys } = await importLog(file, { pool, eventLog, masterKey: config.masterKey, onChecked: progress.expect, onLines: progress.advance }).finally(progress.end)
        const people = keys === null ? 'It has no keys: personal fields read as [erased], for good.' : `${keys} personal keys came with them.`
        process.stdout.write(`Imported ${events} events. ${people} The read models follow at the next start; 'events verify' checks the chains.\n`)
      }))
}
