import type { DomainEvent } from '#contracts/events/catalogue'
import type { CommandHandler } from '#services/commands/handle-command'
import type { MessageCounts } from './message-metrics.ts'

/**
 * Counts the messages to clients for the metrics, by the events of the commands of this process. A
 * command that is repeated after a lost answer counts twice.
 */
export function countedCommands(commands: CommandHandler, counts: MessageCounts): CommandHandler {
  return {
    ...commands,
    async handle(request) {
      const handled = await commands.handle(request)
      for (const event of handled.events) count(event, counts)
      return handled
    },
  }
}

function count(event: DomainEvent, counts: MessageCounts): void {
  switch (event.type) {
    case 'MessageSent':
      return counts.message(event.data.channel, 'sent')
    case 'MessageNotSent':
      return counts.message(event.data.channel, event.data.why)
    case 'MessageUnknown':
      return counts.message(event.data.channel, 'unknown')
    case 'ThanksSent':
      return counts.message(event.data.channel, 'sent')
    case 'ThanksNotSent':
      return counts.message('mail', event.data.why)
    case 'MessageReturned':
      return counts.message('mail', 'returned')
    case 'StepsSkipped':
      return counts.skipped(event.data.why.kind, event.data.steps.length)
    case 'ClientAddressBounced':
      return counts.bounced(event.data.channel)
    case 'ContactStopped':
      return counts.optOut(event.data.via)
    default:
      // Events of other kinds are not counted.
      return undefined
  }
}
