import { Command, Option } from 'commander'
import { masterKeysOf } from '#services/event-store/encryption/master-keys'
import { countOf } from '#services/foundation/format-count'
import { rotateMasterKey } from '#services/operations/keys/rotate-master-key'
import { refuseOtherKeys } from '#services/keys/assert-known-keys'
import { rotateEmail } from './rotate-email.ts'
import { rotatePortal } from './rotate-portal.ts'
import { onSourceLog } from '../on-source-log.ts'
import { showProgress, type Progress } from '../progress.ts'
import { withStopSignal } from '../with-stop-signal.ts'
import { print } from '../print.ts'

export function rotateCommand(): Command {
  return new Command('rotate')
    .description(
      'Wrap all personal keys with MASTER_KEY instead of MASTER_KEY_PREVIOUS; with --email: change EMAIL_HMAC_KEY; with --portal: change PORTAL_KEY.',
    )
    .addHelpText(
      'after',
      [
        '',
        'First restart every process with the new key, and with MASTER_KEY_PREVIOUS or EMAIL_HMAC_KEY_PREVIOUS set to the former one. While a running process does not have the new key, nothing is changed.',
        'Customers continue to read and write. If the command is stopped or killed, run it again: it continues.',
        'When it is done, remove the former key from the settings.',
      ].join('\n'),
    )
    .option('--email', 'move all addresses to EMAIL_HMAC_KEY from EMAIL_HMAC_KEY_PREVIOUS', false)
    .addOption(
      new Option('--portal', 'put PORTAL_KEY in use instead of PORTAL_KEY_PREVIOUS')
        .default(false)
        .conflicts('email'),
    )
    .action(({ email, portal }: { readonly email: boolean; readonly portal: boolean }) => {
      if (portal) return rotatePortal()
      return email ? rotateEmail() : rotateMaster()
    })
}

function rotateMaster(): Promise<void> {
  return onSourceLog(async ({ config, pool }) => {
    let progress: Progress | null = null
    const rotated = await withStopSignal(
      (signal) =>
        rotateMasterKey({
          pool,
          masterKeys: masterKeysOf(config.masterKey, config.previousMasterKey),
          signal,
          onStart: (left) => {
            if (left > 0) progress = showProgress({ doing: 'Wrapping', unit: 'keys', total: left })
          },
          onKeys: (count) => progress?.advance(count),
        }).finally(() => progress?.end()),
      'Stopped. Some personal keys may still need MASTER_KEY_PREVIOUS: run the command again to continue.',
    )
    await refuseOtherKeys(pool, config)
    const done =
      rotated.kind === 'current'
        ? 'Nothing was changed: MASTER_KEY is in use'
        : `MASTER_KEY is in use, and this run wrapped ${countOf(rotated.keys, 'personal key')} with it`
    const all =
      rotated.total === 1
        ? 'the only personal key'
        : `all ${countOf(rotated.total, 'personal key')}`
    print(`${done}. It wraps ${all}.\n`)
    if (config.previousMasterKey !== null)
      print(
        'Next: remove MASTER_KEY_PREVIOUS from the settings of every process and restart. Keep the former key as long as you keep backups from before.\n',
      )
  })
}
