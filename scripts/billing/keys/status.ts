import { Command } from 'commander'
import { countOf } from '#services/foundation/format-count'
import { StartupError } from '#services/foundation/startup-error'
import { keyStatus, type KeyLine } from '#services/operations/keys/key-status'
import { asOperator } from '#services/operations/operator-context'
import { refuseOtherKeys } from '#services/start/assert-known-keys'

export function statusCommand(): Command {
  return new Command('status')
    .description('Show the fingerprints of the keys, and how many personal keys each one wraps.')
    .addHelpText(
      'after',
      '\nPrints no key. The exit code is 1 if a start with these settings is refused.',
    )
    .action(() =>
      asOperator(async ({ config, pool }) => {
        const lines = await keyStatus(pool, config)
        process.stdout.write(`${lines.map(textOf).join('\n')}\n`)
        const problem = await refuseOtherKeys(pool, config).then(
          () => null,
          (error: unknown) => {
            if (error instanceof StartupError) return error
            throw error
          },
        )
        if (problem !== null) throw problem
        process.stdout.write(`${nextSteps(lines).join('\n')}\n`)
      }),
    )
}

const widest = 'EMAIL_HMAC_KEY_PREVIOUS'.length

function textOf({ setting, fingerprint, isInUse, personalKeys, isBeingReplaced }: KeyLine): string {
  const facts = [
    ...(isInUse ? ['in use'] : []),
    ...(isBeingReplaced ? ['names the addresses that are not moved yet'] : []),
    ...(personalKeys === null ? [] : [`wraps ${countOf(personalKeys, 'personal key')}`]),
  ]
  return `${(setting ?? '(in no setting)').padEnd(widest)}  ${fingerprint}  ${facts.join(', ')}`.trimEnd()
}

function nextSteps(lines: readonly KeyLine[]): readonly string[] {
  const steps = [...masterKeyStep(lines), ...emailKeyStep(lines)]
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
