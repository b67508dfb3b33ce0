import { Command } from 'commander'
import {
  exportHasKeys,
  importLog,
  WrappedByAnotherKey,
} from '#services/event-store/transfer/import-log'
import { StartupError } from '#services/foundation/startup-error'
import { asOperator } from '#services/operations/operator-context'
import { howToBring, refuseWithoutKeys } from '../keys-from-elsewhere.ts'
import { showProgress } from '../progress.ts'

export function importCommand(): Command {
  return new Command('import')
    .argument('<file>', "what 'events export' wrote")
    .description('Bring an export into an empty log.')
    .addHelpText(
      'after',
      [
        '',
        'Ids, order, revisions and times stay as they were.',
        'PostgreSQL takes all of it or nothing; what was stopped half-way on EventStoreDB is finished by the same command.',
        'Needs the MASTER_KEY and EMAIL_HMAC_KEY of the system that it comes from. Of a sandbox, copy its sandbox-secrets.json into the new DATA_DIR first.',
      ].join('\n'),
    )
    .action((file: string) => bringIn(file))
}

async function bringIn(file: string): Promise<void> {
  if (await exportHasKeys(file))
    refuseWithoutKeys(
      neededKeys,
      'Personal keys are opened by the MASTER_KEY that wrapped them, and accounts found by the EMAIL_HMAC_KEY.',
    )
  await asOperator(async ({ config, pool, eventLog }) => {
    const progress = showProgress({ doing: 'Importing', unit: 'lines', total: null })
    const { events, keys } = await importLog(file, {
      pool,
      eventLog,
      masterKey: config.masterKey,
      onChecked: progress.expect,
      onLines: progress.advance,
    })
      .finally(progress.end)
      .catch((error: unknown) => {
        throw error instanceof WrappedByAnotherKey
          ? new StartupError(`${error.message} ${howToBring(neededKeys)}`)
          : error
      })
    const people =
      keys === null
        ? 'It has no keys: personal fields read as [erased], for good.'
        : `${keys} personal keys came with them.`
    process.stdout.write(
      `Imported ${events} events. ${people} The read models follow at the next start; 'events verify' checks the chains.\n`,
    )
  })
}

const neededKeys = ['MASTER_KEY', 'EMAIL_HMAC_KEY'] as const
