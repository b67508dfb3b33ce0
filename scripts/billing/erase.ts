import { Command } from 'commander'
import { isUserId, type UserId } from '#contracts/ids'
import { accountDecider } from '#services/accounts/account-decider'
import { erasePerson } from '#services/accounts/erase-person'
import { billingDecider } from '#services/billing/billing-decider'
import type { CommandContext } from '#services/commands/command-context'
import { createCommandHandler } from '#services/commands/handle-command'
import { startBusinessClock } from '#services/foundation/business-clock'
import { StartupError } from '#services/foundation/startup-error'
import { accountStream, billingStream } from '#services/foundation/stream-names'
import { withBilling } from '#services/operations/operator-billing'
import type { OperatorContext } from '#services/operations/operator-context'
import { assertProviderRuns } from '#services/operations/provider-runs'
import { refuseOtherKeys } from '#services/start/assert-known-keys'
import { followedClock } from '#services/start/followed-clock'
import { onSourceLog } from './on-source-log.ts'

export function eraseCommand(): Command {
  return new Command('erase')
    .argument('<userId>', 'such as usr_0123456789abcdef01234567')
    .option(
      '--cancel-at-provider',
      'first cancel the live subscriptions and close the open checkouts of the person',
      false,
    )
    .description('Erase a person: end account and sessions, release the address, destroy the key.')
    .addHelpText(
      'after',
      '\nAn erasure cannot be undone. Totals stay. A person whom the payment provider still charges is not erased without --cancel-at-provider. If a crash interrupts the command, run it again to complete the erasure.',
    )
    .action((userId: string, { cancelAtProvider }: { readonly cancelAtProvider: boolean }) =>
      onSourceLog((context) => erase(userId, cancelAtProvider, context)),
    )
}

async function erase(
  given: string,
  cancelsAtProvider: boolean,
  context: OperatorContext,
): Promise<void> {
  if (!isUserId(given)) throw noAccount(given)
  const userId = given
  const { config, pool, store, codec, keys, log } = context
  await refuseOtherKeys(pool, config)
  // The business clock, so that the erasure is not dated before earlier events.
  const clock = await startBusinessClock({ pool, followed: followedClock(config), log })
  try {
    const commands = createCommandHandler({ store, codec, clock })
    const account = await commands.load({ decider: accountDecider, stream: accountStream(userId) })
    const billing = await commands.load({ decider: billingDecider, stream: billingStream(userId) })
    const { stripeCustomerId } = billing.state
    if (stripeCustomerId !== null && account.state.kind === 'open')
      await endPlans(userId, cancelsAtProvider, context)

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
    if (stripeCustomerId !== null)
      process.stdout.write(
        `The payment provider has a separate record of this person. Delete the customer ${stripeCustomerId} there.\n`,
      )
  } finally {
    await clock.close()
  }
}

/** @throws StartupError if the provider still charges the person, or if it does not answer */
async function endPlans(
  userId: UserId,
  cancelsAtProvider: boolean,
  context: OperatorContext,
): Promise<void> {
  await assertProviderRuns(process.env)
  const live = await withBilling(context, ({ billing }) =>
    billing.close(userId, cancelsAtProvider, {
      ...operatorErases(userId),
      commandId: `end plans of ${userId} before the erasure`,
    }),
  )
  if (live.length > 0)
    throw new StartupError(
      `The payment provider still charges this person for ${live.join(', ')}. Nothing was erased. Run the command with --cancel-at-provider to cancel the subscription first.`,
    )
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
