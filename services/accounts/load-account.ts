import type { UserId } from '#contracts/ids'
import type { CommandHandler } from '#services/commands/handle-command'
import { accountStream } from '#services/foundation/stream-names'
import { accountDecider, type AccountState } from './account-decider.ts'

/** Reads the account's stream to its end. @throws EventStoreUnavailable */
export async function loadAccount(
  commands: Pick<CommandHandler, 'load'>,
  userId: UserId,
): Promise<AccountState> {
  const { state } = await commands.load({ decider: accountDecider, stream: accountStream(userId) })
  return state
}
