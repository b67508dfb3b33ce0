import { randomUUID } from 'node:crypto'
import type { CommandContext } from '#services/commands/command-context'

/** The context of a command that a test sends as the system. Each call is another command. */
export function testContext(commandId: string = randomUUID()): CommandContext {
  return {
    commandId,
    correlationId: 'test',
    actor: { kind: 'system', id: 'test' },
    source: 'system',
  }
}
