import { Command } from 'commander'
import { isUserId } from '#contracts/ids'
import { deletePerson } from '#services/accounts/delete-person'
import { billingDecider } from '#services/billing/billing-decider'
import type { CommandContext } from '#services/commands/command-context'
import { createEnquiryErasure } from '#services/enquiries/erase-enquiries'
import { StartupError } from '#services/foundation/startup-error'
import { billingStream } from '#services/foundation/stream-names'
import { withBilling } from '#services/operations/operator-billing'
import type { OperatorContext } from '#services/operations/operator-context'
import { assertProviderRuns } from '#services/operations/provider-runs'
import { onSourceLog } from './on-source-log.ts'

export function eraseCommand(): Command {
  return new Command('erase')
    .argument('<userId>', 'such as usr_0123456789abcdef01234567')
    .option(
      '--cancel-at-provider',
      'first cancel the live subscriptions and close the open checkouts of the person',
      false,
    )
    .description(
      'Erase a person: end account and sessions, release the addresses, erase the enquiries, destroy the keys.',
    )
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
  const { config, pool, keys } = context
  // The business clock, so that the erasure is not dated before earlier events.
  await withBilling(context, async ({ billing, commands, businessClock: clock }) => {
    const deleted = await deletePerson(
      userId,
      cancelsAtProvider,
      {
        billing: {
          hasCustomer: billing.hasCustomer,
          async close(...ofPerson) {
            await assertProviderRuns(process.env)
            return billing.close(...ofPerson)
          },
        },
        commands,
        keys,
        pool,
        clock,
        emailHmacKey: config.emailHmacKey,
        eraseEnquiries: createEnquiryErasure({ commands, keys, clock }),
      },
      operatorErases(userId),
    )
    if (deleted.kind === 'no-account') throw noAccount(userId)
    if (deleted.kind === 'still-charged') throw stillCharged(deleted.subscriptions)
    process.stdout.write(
      deleted.kind === 'erased-before'
        ? `${userId} was erased before. Nothing was changed.\n`
        : `${userId} is erased.\n`,
    )
    const { state } = await commands.load({
      decider: billingDecider,
      stream: billingStream(userId),
    })
    if (state.stripeCustomerId !== null)
      process.stdout.write(
        `The payment provider has a separate record of this person. Delete the customer ${state.stripeCustomerId} there.\n`,
      )
  })
}

function stillCharged(subscriptions: readonly string[]): StartupError {
  return new StartupError(
    `The payment provider still charges this person for ${subscriptions.join(', ')}. Nothing was erased. Run the command with --cancel-at-provider to cancel the subscription first.`,
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
