import type { CommandContext } from '#services/commands/command-context'

/** One mail is returned once, whatever comes of it: a repeat is the same command. */
export function reportContext(messageId: string): CommandContext {
  return {
    commandId: `delivery report ${messageId}`,
    correlationId: `delivery report ${messageId}`,
    actor: { kind: 'system', id: 'delivery reports' },
    source: 'webhook',
  }
}
