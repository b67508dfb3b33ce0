import { createCommandHandler } from '#services/commands/handle-command'
import { macKeyOf } from '#services/event-store/audit/audit-keys'
import { formatCount } from '#services/foundation/format-count'
import { movedText, rotateEmailKey } from '#services/operations/keys/rotate-email-key'
import { startOperatorClock } from '#services/operations/operator-clock'
import type { OperatorContext } from '#services/operations/operator-context'
import { refuseOtherKeys } from '#services/keys/assert-known-keys'
import { onSourceLog } from '../on-source-log.ts'
import { showProgress, type Progress } from '../progress.ts'
import { withStopSignal } from '../with-stop-signal.ts'
import { print } from '../print.ts'

/** `billing keys rotate --email`. */
export function rotateEmail(): Promise<void> {
  return onSourceLog(async (context) => {
    const { config, pool } = context
    await refuseOtherKeys(pool, config)
    const { kind, addresses, enquiries } = await rotate(context)
    print(
      kind === 'current'
        ? 'Nothing was changed: EMAIL_HMAC_KEY is in use.\n'
        : `EMAIL_HMAC_KEY is in use, and this run moved ${movedText(addresses, enquiries)} to it. No address needs the former key.\n`,
    )
    if (config.previousEmailHmacKey !== null)
      print(
        'Next: remove EMAIL_HMAC_KEY_PREVIOUS from the settings of every process and restart. Keep the former key as long as you keep backups from before.\n',
      )
  })
}

async function rotate(context: OperatorContext) {
  const { config, pool, store, codec } = context
  const clock = await startOperatorClock(context)
  const progress: { shown: Progress | null; isWaiting: boolean } = { shown: null, isWaiting: false }
  try {
    return await withStopSignal(
      (signal) =>
        rotateEmailKey({
          pool,
          store,
          codec,
          commands: createCommandHandler({
            store,
            codec,
            clock,
            macKey: macKeyOf(config.auditKey),
          }),
          clock,
          to: config.emailHmacKey,
          from: config.previousEmailHmacKey,
          signal,
          onWait: (processes) => {
            if (!progress.isWaiting)
              process.stderr.write(
                processes === 1
                  ? 'Waiting until 1 process has ended its sign-ups under the former key.\n'
                  : `Waiting until ${formatCount(processes)} processes have ended their sign-ups under the former key.\n`,
              )
            progress.isWaiting = true
          },
          onSubjects: (count) => {
            progress.shown ??= showProgress({
              doing: 'Moving',
              unit: 'persons and enquiries',
              total: null,
            })
            progress.shown.advance(count)
          },
        }),
      'Stopped. Some addresses may still need EMAIL_HMAC_KEY_PREVIOUS: run the command again to continue.',
    )
  } finally {
    progress.shown?.end()
    await clock.close()
  }
}
