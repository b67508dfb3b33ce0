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
import { onSourceLog } from './on-source-log.ts'

export function eraseCommand(): Command {
  return new Command('erase')
    .argument('<userId>', 'as usr_0123456789abcdef01234567')
    .description('Erase a person: end account and sessions, release the address, destroy the key.')
    .addHelpText(
      'after',
      '\nIt cannot be undone. Totals stay. Run again, it finishes what a crash left.',
    )
    .action((userId: string) => onSourceLog((context) => erase(userId, context)))
}

async function erase(
  given: string,
  { config, pool, store, codec, keys, log }: OperatorContext,
): Promise<void> {
  if (!isUserId(given)) throw noAccount(given)
  const userId = given
  // Never behind what the product has recorded already.
  const clock = await startBusinessClock({ pool, url: config.clockUrl, log })
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
        ? `${userId} was erased before; nothing was left to do.\n`
        : `${userId} is erased.\n`,
    )

    const { state } = await commands.load({
      decider: billingDecider,
      stream: billingStream(userId),
    })
    if (state.stripeCustomerId === null) return
    process.stdout.write(
      `The payment provider has its own record of them: delete the customer ${state.stripeCustomerId} there.\n`,
    )
    const live = liveSubscriptions(state).map(({ stripeSubscriptionId }) => stripeSubscriptionId)
    if (live.length > 0)
      process.stdout.write(
        `They are still charged for ${live.join(', ')}: cancel that there first.\n`,
      )
  } finally {
    await clock.close()
  }
}

function noAccount(userId: string): StartupError {
  return new StartupError(
    `There is no account ${userId}: nothing was erased. The users' list of the console has the ids.`,
  )
}

/** The same command however often it is run: it becomes its events once. */
function operatorErases(userId: string): CommandContext {
  const commandId = `erase ${userId}`
  return {
    commandId,
    correlationId: commandId,
    actor: { kind: 'system', id: 'operator' },
    source: 'system',
  }
}
