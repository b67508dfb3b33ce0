import { Command } from 'commander'
import { isUserId } from '#contracts/ids'
import { erasePerson } from '#services/accounts/erase-person'
import { billingDecider } from '#services/billing/billing-decider'
import { liveSubscriptions } from '#services/billing/billing-state'
import { createCommandHandler, type CommandContext } from '#services/commands/handle-command'
import { startBusinessClock } from '#services/foundation/business-clock'
import { StartupError } from '#services/foundation/startup-error'
import { billingStream } from '#services/foundation/stream-names'
import type { OperatorContext } from '#services/operations/operator-context'
import { followedClock } from '#services/start/followed-clock'
import { onSourceLog } from './on-source-log.ts'

export function eraseCommand(): Command {
  return new Command('erase')
    .argument('<userId>', 'such as usr_0123456789abcdef01234567')
    .description('Erase a person: end account and sessions, release the address, destroy the key.')
    .addHelpText(
      'after',
      '\nAn erasure cannot be undone. Totals stay. If a crash interrupts the command, run it again to complete the erasure.',
    )
    .action((userId: string) => onSourceLog((context) => erase(userId, context)))
}

async function erase(
  given: string,
  { config, pool, store, codec, keys, log }: OperatorContext,
): Promise<void> {
  if (!isUserId(given)) throw noAccount(given)
  const userId = given
  // The business clock, so that the erasure is not dated before earlier events.
  const clock = await startBusinessClock({ pool, followed: followedClock(config), log })
  try {
    const commands = createCommandHandler({ store, codec, clock })
    const outcome = await erasePerson(
      userId,
      { commands, keys, pool, clock, emailHmacKey: config.emailHmacKey },
      operatorErases(userId),
    )
    if (outcome === 'no-account') throw noAccount(userId)
    process.stdout.write(
      outcome === 'erased-before'
        ? `${userId} was erased before. Nothing was changed.\n`
        : `${userId} is erased.\n`,
    )

    const { state } = await commands.load({
      decider: billingDecider,
      stream: billingStream(userId),
    })
    if (state.stripeCustomerId === null) return
    const live = liveSubscriptions(state).map(({ stripeSubscriptionId }) => stripeSubscriptionId)
    if (live.length > 0)
      process.stdout.write(
        `The payment provider still charges this person for ${live.join(', ')}. First cancel the subscription there.\n`,
      )
    process.stdout.write(
      `The payment provider has a separate record of this person. Delete the customer ${state.stripeCustomerId} there.\n`,
    )
  } finally {
    await clock.close()
  }
}

function noAccount(userId: string): StartupError {
  return new StartupError(
    `There is no account ${userId}: nothing was erased. The administrators' list of users shows the ids.`,
  )
}

/** A constant command id: a repeated run appends no second event. */
function operatorErases(userId: string): CommandContext {
  const commandId = `erase ${userId}`
  return {
    commandId,
    correlationId: commandId,
    actor: { kind: 'system', id: 'operator' },
    source: 'system',
  }
}
