import type { UserId } from '#contracts/ids'
import type { CommandContext } from '#services/commands/command-context'
import { eraseIfUnverified, type EraseParts } from './erase-person.ts'

/**
 * Frees an address that an account holds without having verified any address: anyone can sign up
 * with the address of another person. The account is erased, as 90 days later. False if it was
 * verified, or has a customer at the payment provider.
 */
export type TakeOver = (holder: UserId, context: CommandContext) => Promise<boolean>

export function createTakeOver(
  parts: EraseParts & { readonly hasCustomer: (userId: UserId) => Promise<boolean> },
): TakeOver {
  return async (holder, context) => {
    if (await parts.hasCustomer(holder)) return false
    const commandId = `${context.commandId} take over ${holder}`
    return (await eraseIfUnverified(holder, parts, { ...context, commandId })) !== 'verified'
  }
}
