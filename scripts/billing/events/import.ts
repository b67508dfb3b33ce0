import { Command } from 'commander'
import {
  exportHasKeys,
  importLog,
  MadeWithAnotherAuditKey,
  MadeWithAnotherKey,
} from '#services/event-store/transfer/import-log'
import { countOf } from '#services/foundation/format-count'
import { StartupError } from '#services/foundation/startup-error'
import { notificationReactors } from '#services/notifications/reactor-names'
import { asOperator } from '#services/operations/operator-context'
import { leaveOutImported } from '#services/reactors/outbox'
import { businessTime } from '../business-time.ts'
import { showProgress } from '../progress.ts'
import { printReleaseOfLog } from '../release-of-log.ts'
import { howToProvideKeys, refuseWithoutKeys } from '../required-keys.ts'
import { print } from '../print.ts'

export function importCommand(): Command {
  return new Command('import')
    .argument('<file>', "a file that 'events export' wrote")
    .description('Import an export into an empty log.')
    .option(
      '--other-audit-key',
      'import events of another AUDIT_KEY: check their hash chains, and not their MACs',
      false,
    )
    .addHelpText(
      'after',
      [
        '',
        'Ids, order, revisions and times stay the same.',
        'On PostgreSQL an import is one transaction. On EventStoreDB, run the same command again to complete an import that stopped.',
        'Checks the hash chain of every stream and the MAC of every event before it writes anything.',
        "Needs the exporting system's MASTER_KEY, EMAIL_HMAC_KEY and AUDIT_KEY. If they are a sandbox's, first copy its sandbox-secrets.json into the new DATA_DIR.",
      ].join('\n'),
    )
    .action((file: string, { otherAuditKey }: { otherAuditKey: boolean }) =>
      importFile(file, otherAuditKey),
    )
}

async function importFile(file: string, isOfOtherAuditKey: boolean): Promise<void> {
  if (await exportHasKeys(file))
    refuseWithoutKeys(
      neededKeys,
      'Personal keys need the MASTER_KEY that wrapped them, and accounts are found by the EMAIL_HMAC_KEY.',
    )
  await asOperator(async ({ config, pool, eventLog, store }) => {
    const progress = showProgress({ doing: 'Importing', unit: 'lines', total: null })
    const { events, keys } = await importLog(file, {
      pool,
      eventLog,
      masterKey: config.masterKey,
      emailHmacKey: config.emailHmacKey,
      auditKey: isOfOtherAuditKey ? null : config.auditKey,
      previousMasterKey: config.previousMasterKey,
      onChecked: progress.expect,
      onLines: progress.advance,
    })
      .finally(progress.end)
      .catch((error: unknown) => {
        if (error instanceof MadeWithAnotherAuditKey)
          throw new StartupError(
            `${error.message} ${howToProvideKeys(['AUDIT_KEY'])} With --other-audit-key, only the hash chains are checked. Nothing was imported.`,
          )
        throw error instanceof MadeWithAnotherKey
          ? new StartupError(`${error.message} ${howToProvideKeys(neededKeys)}`)
          : error
      })
    const position = await store.lastPosition()
    if (position !== null)
      await leaveOutImported(pool, notificationReactors, {
        logId: await store.identity(),
        position,
        now: await businessTime(pool),
      })
    const people =
      keys === null
        ? 'The export has no personal keys: personal fields read as [erased] permanently.'
        : `Imported ${countOf(keys, 'personal key')}.`
    print(
      `Imported ${countOf(events, 'event')}. ${people} The next start builds the read models and sends nothing about these events; 'events verify --manifest <file>' checks the log, also against the published seals.\n`,
    )
    await printReleaseOfLog(store)
  })
}

const neededKeys = ['MASTER_KEY', 'EMAIL_HMAC_KEY'] as const
