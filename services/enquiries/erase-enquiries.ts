import type { AddressHmac } from '#contracts/ids'
import type { CommandContext } from '#services/commands/command-context'
import type { CommandHandler } from '#services/commands/handle-command'
import type { PersonalKeys } from '#services/event-store/encryption/personal-keys'
import type { Clock } from '#services/foundation/clock'
import { enquiryOf, enquiryStream } from '#services/foundation/stream-names'
import { enquiryDecider } from './enquiry-decider.ts'

export interface EnquiryErasureParts {
  readonly commands: Pick<CommandHandler, 'handle' | 'load'>
  readonly keys: Pick<PersonalKeys, 'enquiriesWith' | 'erase'>
  readonly clock: Clock
}

/**
 * Erases all enquiries of an address. The keys show which enquiries exist. Each enquiry records
 * EnquiryErased, so that the read models erase its texts; then its key is destroyed. A repeated run
 * completes an interrupted one. An enquiry that is submitted later has another key and stays
 * readable.
 */
export function createEnquiryErasure({ commands, keys, clock }: EnquiryErasureParts) {
  return {
    /** Reads every enquiry that `erase` reads. @throws UnreadableEvent */
    async assertReadable(address: AddressHmac): Promise<void> {
      for (const subject of await keys.enquiriesWith([address]))
        await commands.load({
          decider: enquiryDecider,
          stream: enquiryStream(enquiryOf(subject)),
        })
    },

    /** Returns how many enquiries are erased, by this run or an earlier one. */
    async erase(address: AddressHmac, context: CommandContext): Promise<number> {
      let enquiries = 0
      for (const subject of await keys.enquiriesWith([address])) {
        const enquiryId = enquiryOf(subject)
        // Refused if the enquiry was never recorded: a crash came after its key was made.
        const { kind } = await commands.handle({
          decider: enquiryDecider,
          stream: enquiryStream(enquiryId),
          command: { type: 'erase-enquiry', at: clock.now().toISOString() },
          context: { ...context, commandId: `${context.commandId} ${enquiryId}` },
        })
        await keys.erase(subject)
        if (kind === 'accepted') enquiries += 1
      }
      return enquiries
    },
  }
}
