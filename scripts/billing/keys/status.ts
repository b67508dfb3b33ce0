import { Command } from 'commander'
import {
  checkPersonalKeys,
  type KeysChecked,
} from '#services/event-store/encryption/check-personal-keys'
import { countOf } from '#services/foundation/format-count'
import { StartupError } from '#services/foundation/startup-error'
import { keyStatus, type KeyLine } from '#services/operations/keys/key-status'
import { asOperator, type OperatorContext } from '#services/operations/operator-context'
import { keyProblemTexts } from '#services/reports/integrity/verify-integrity'
import { refuseOtherKeys } from '#services/keys/assert-known-keys'
import { showProgress } from '../progress.ts'
import { withStopSignal } from '../with-stop-signal.ts'
import { print } from '../print.ts'

export function statusCommand(): Command {
  return new Command('status')
    .description(
      'Show the fingerprints of the keys, how many personal keys each one wraps, and which are missing.',
    )
    .addHelpText(
      'after',
      '\nPrints no key. Reads the whole log to find missing keys. The exit code is 1 if a start with these settings is refused, or if a personal key is missing without an erasure.',
    )
    .action(() =>
      asOperator(async ({ config, pool, store, keys }) => {
        const lines = await keyStatus(pool, config)
        print(`${lines.map(textOf).join('\n')}\n`)
        const problem = await refuseOtherKeys(pool, config).then(
          () => null,
          (error: unknown) => {
            if (error instanceof StartupError) return error
            throw error
          },
        )
        if (problem !== null) throw problem
        print(`${nextSteps(lines).join('\n')}\n`)
        const checked = await checkKeys({ store, keys })
        print(`${personalKeyLines(checked).join('\n')}\n`)
        if (checked.subjectsWithProblems > 0) process.exitCode = 1
      }),
    )
}

const widest = 'EMAIL_HMAC_KEY_PREVIOUS'.length

function textOf({ setting, fingerprint, isInUse, personalKeys, isBeingReplaced }: KeyLine): string {
  const parts = [
    ...(isInUse ? ['in use'] : []),
    ...(isBeingReplaced ? ['names the addresses that are not moved yet'] : []),
    ...(personalKeys === null ? [] : [`wraps ${countOf(personalKeys, 'personal key')}`]),
  ]
  return `${(setting ?? '(in no setting)').padEnd(widest)}  ${fingerprint}  ${parts.join(', ')}`.trimEnd()
}

function nextSteps(lines: readonly KeyLine[]): readonly string[] {
  const steps = [...masterKeyStep(lines), ...emailKeyStep(lines), ...portalKeyStep(lines)]
  return steps.length === 0 ? ['No key is being changed.'] : steps
}

function masterKeyStep(lines: readonly KeyLine[]): readonly string[] {
  const previous = lines.find(({ setting }) => setting === 'MASTER_KEY_PREVIOUS')
  if (previous === undefined) return []
  return previous.isInUse || previous.personalKeys !== 0
    ? ["Next: when every process has both keys, run 'billing keys rotate'."]
    : ['No personal key needs MASTER_KEY_PREVIOUS: remove it from the settings.']
}

function emailKeyStep(lines: readonly KeyLine[]): readonly string[] {
  const previous = lines.find(({ setting }) => setting === 'EMAIL_HMAC_KEY_PREVIOUS')
  if (previous === undefined) return []
  if (previous.isBeingReplaced)
    return ["Next: run 'billing keys rotate --email' again. It moves the addresses that are left."]
  return previous.isInUse
    ? ["Next: when every process has both keys, run 'billing keys rotate --email'."]
    : ['No address needs EMAIL_HMAC_KEY_PREVIOUS: remove it from the settings.']
}

function portalKeyStep(lines: readonly KeyLine[]): readonly string[] {
  const previous = lines.find(({ setting }) => setting === 'PORTAL_KEY_PREVIOUS')
  if (previous === undefined) return []
  return previous.isInUse
    ? ["Next: when every process has both keys, run 'billing keys rotate --portal'."]
    : [
        'PORTAL_KEY_PREVIOUS is needed by the links of messages that were sent before the change only.',
      ]
}

async function checkKeys({
  store,
  keys,
}: Pick<OperatorContext, 'store' | 'keys'>): Promise<KeysChecked> {
  const total = await store.countAfter(null)
  const progress = showProgress({ doing: 'Reading', unit: 'events', total })
  return withStopSignal(
    (signal) =>
      checkPersonalKeys(store, keys, { signal, onEvents: progress.advance }, (check) =>
        check.result(),
      ),
    'Stopped: missing personal keys were not looked for to the end.',
  ).finally(progress.end)
}

function personalKeyLines(checked: KeysChecked): readonly string[] {
  const { subjectsWithProblems, leftOut } = checked
  return [
    ...(leftOut === 0
      ? []
      : [
          `An import left out the personal keys of ${countOf(leftOut, 'person or enquiry', 'persons or enquiries')}.`,
        ]),
    subjectsWithProblems === 0
      ? 'No personal key is missing.'
      : `${countOf(subjectsWithProblems, 'personal key')} ${subjectsWithProblems === 1 ? 'is' : 'are'} missing without an erasure:`,
    ...keyProblemTexts(checked),
  ]
}
