import type { ClientId, ReceivableId } from '#contracts/ids'
import type { ClientCommand } from './client-decider.ts'
import type { ReceivableCommand } from './receivable-commands.ts'

type Without<Command> = Command extends unknown
  ? Omit<Command, 'merchantId' | 'today' | 'at'>
  : never
type ImportOfClient = { readonly type: 'import-client' | 'withdraw-client' }
type ImportOfReceivable = { readonly type: 'import-row' | 'settle-missing' | 'undo-import' }
/**
 * What a caller sends: the merchant, the day and the time are added from the session and clock.
 * What an import sends has the day of the import, and is handled in `import/`.
 */
export type ClientAct = Without<Exclude<ClientCommand, ImportOfClient>>
export type ReceivableAct = Without<Exclude<ReceivableCommand, ImportOfReceivable>>

/** The command that a fact of one stream causes in another one. */
export type FollowUp =
  | { readonly on: 'client'; readonly clientId: ClientId; readonly act: ClientAct }
  | { readonly on: 'receivable'; readonly receivableId: ReceivableId; readonly act: ReceivableAct }
