import { Command } from 'commander'
import { emailAddress } from '#contracts/email-address'
import { idAtProvider, providerOf, type ProviderRef } from '#contracts/events/provider-ref'
import { isUserId, type UserId } from '#contracts/ids'
import { deletePerson } from '#services/accounts/delete-person'
import { billingDecider } from '#services/billing/billing-decider'
import type { CommandContext } from '#services/commands/command-context'
import { eraseAddress } from '#services/enquiries/erase-address'
import { createEnquiryErasure } from '#services/enquiries/erase-enquiries'
import { createCodec } from '#services/event-store/encryption/codec'
import { withLostKeys } from '#services/event-store/encryption/personal-keys'
import { errorMessage } from '#services/foundation/error-message'
import { countOf } from '#services/foundation/format-count'
import { StartupError } from '#services/foundation/startup-error'
import { billingStream } from '#services/foundation/stream-names'
import { withBilling } from '#services/operations/operator-billing'
import { withEmailKeys, type OperatorContext } from '#services/operations/operator-context'
import { assertProviderRuns } from '#services/operations/provider-runs'
import { createLogos } from '#services/receivables/brand/logos'
import { createClientErasure, type ClientErasure } from '#services/receivables/erase-clients'
import { createReceivablesSide } from '#services/start/create-receivables-side'
import { onSourceLog } from './on-source-log.ts'
import { print } from './print.ts'

export function eraseCommand(): Command {
  return new Command('erase')
    .argument('[userId]', 'such as usr_0123456789abcdef01234567')
    .option('--email <address>', 'erase the enquiries of an address that has no account')
    .option(
      '--cancel-at-provider',
      'first cancel the live subscriptions and close the open checkouts of the person',
      false,
    )
    .option(
      '--key-is-lost',
      'erase although the personal key is missing and no backup has it; the addresses stay claimed',
      false,
    )
    .description(
      'Erase a person: end account and sessions, release the addresses, erase the enquiries and the clients, destroy the keys. With --email: erase the enquiries of a visitor.',
    )
    .addHelpText(
      'after',
      '\nAn erasure cannot be undone. Totals stay. A person whom the payment provider still charges is not erased without --cancel-at-provider. If a crash interrupts the command, run it again to complete the erasure.',
    )
    .action((userId: string | undefined, { email, cancelAtProvider, keyIsLost }: Options) => {
      if (userId !== undefined && email === undefined)
        return onSourceLog(async (context) =>
          erase(userId, cancelAtProvider, keyIsLost ? await withoutKey(userId, context) : context),
        )
      if (userId === undefined && email !== undefined && !cancelAtProvider)
        return onSourceLog((context) =>
          eraseVisitor(addressFrom(email), keyIsLost ? readingLostKeys(context) : context),
        )
      throw new StartupError(
        'Name either a user id, or with --email an address that has no account. --cancel-at-provider needs a user id. Nothing was erased.',
      )
    })
}

interface Options {
  readonly email?: string
  readonly cancelAtProvider: boolean
  readonly keyIsLost: boolean
}

/** @throws StartupError if the person has a key: then it must decrypt the addresses to release */
async function withoutKey(userId: string, context: OperatorContext): Promise<OperatorContext> {
  const state = (await context.keys.statesOf(new Set([userId]))).get(userId)
  if (state?.kind !== 'missing')
    throw new StartupError(
      `The personal key of ${userId} is not missing: leave --key-is-lost out. Nothing was erased.`,
    )
  return readingLostKeys(context)
}

function readingLostKeys(context: OperatorContext): OperatorContext {
  const keys = withLostKeys(context.keys)
  return { ...context, keys, codec: createCodec(keys) }
}

function addressFrom(given: string): string {
  const parsed = emailAddress.safeParse(given)
  if (parsed.success) return parsed.data
  throw new StartupError(`'${given}' is not an e-mail address. Nothing was erased.`)
}

async function eraseVisitor(email: string, context: OperatorContext): Promise<void> {
  const { keys } = context
  await withBilling(context, async ({ commands, businessClock: clock }) => {
    const erased = await withEmailKeys(context, (emailKeys) =>
      eraseAddress(email, { commands, keys, clock, emailKeys }, byOperator('erase address')),
    )
    if (erased.kind === 'has-account')
      throw new StartupError(
        `The address belongs to the account ${erased.userId}: nothing was erased. Run 'billing erase ${erased.userId}', which also erases the enquiries.`,
      )
    print(
      erased.enquiries === 0
        ? 'There is no enquiry of this address. Nothing was changed.\n'
        : `Enquiries of this address that are erased: ${erased.enquiries}.\n`,
    )
  })
}

async function erase(
  given: string,
  cancelsAtProvider: boolean,
  context: OperatorContext,
): Promise<void> {
  if (!isUserId(given)) throw noAccount(given)
  const userId = given
  const { pool, keys } = context
  // The business clock, so that the erasure is not dated before earlier events.
  await withBilling(context, async ({ billing, commands, businessClock: clock }) => {
    const deleted = await withEmailKeys(context, (emailKeys) =>
      deletePerson(
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
          emailKeys,
          enquiries: createEnquiryErasure({ commands, keys, clock }),
        },
        byOperator(`erase ${userId}`),
      ),
    )
    if (deleted.kind === 'no-account') throw noAccount(userId)
    if (deleted.kind === 'still-charged') throw stillCharged(deleted.subscriptions)
    print(
      deleted.kind === 'erased-before'
        ? `${userId} was erased before. Nothing was changed.\n`
        : `${userId} is erased.\n`,
    )
    const receivables = createReceivablesSide({ commands, keys, clock })
    const clients = await eraseClients(
      userId,
      createClientErasure({ receivables, commands, keys, logos: createLogos(pool), clock }),
    )
    if (clients > 0) print(`Its clients are erased: ${countOf(clients, 'client')}.\n`)
    const { state } = await commands.load({
      decider: billingDecider,
      stream: billingStream(userId),
    })
    if (state.customerRef !== null)
      print(
        `The payment provider ${providerOf(state.customerRef)} has a separate record of this person. Delete the customer ${idAtProvider(state.customerRef)} there.\n`,
      )
  })
}

/** Also without a process of the product, whose reactor `erased-clients` does the same. */
async function eraseClients(
  userId: UserId,
  { eraseMerchant }: Pick<ClientErasure, 'eraseMerchant'>,
): Promise<number> {
  try {
    return await eraseMerchant(userId, byOperator(`erase clients of ${userId}`))
  } catch (error) {
    throw new StartupError(
      `${userId} is erased, and some of its clients are not: ${errorMessage(error)} Run the command again, or start a process with ROLE all or reactor: it erases them.`,
      { cause: error },
    )
  }
}

function stillCharged(subscriptions: readonly ProviderRef[]): StartupError {
  return new StartupError(
    `The payment provider still charges this person for ${subscriptions.map((each) => idAtProvider(each)).join(', ')}. Nothing was erased. Run the command with --cancel-at-provider to cancel the subscription first.`,
  )
}

function noAccount(userId: string): StartupError {
  return new StartupError(
    `There is no account ${userId}: nothing was erased. The administrators' list of users shows the ids.`,
  )
}

/** A constant command id: a repeated run appends no second event. */
function byOperator(commandId: string): CommandContext {
  return {
    commandId,
    correlationId: commandId,
    actor: { kind: 'system', id: 'operator' },
    source: 'system',
  }
}
