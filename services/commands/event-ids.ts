import { uuidsOf } from '#services/foundation/uuid-v5'

// These namespaces never change: with another namespace, a known fact gets another id and is
// recorded twice.
const idOfFact = uuidsOf('b3a5c1de-7f02-5c64-9d0e-2f6f4a1c8e17')
const idOfCommand = uuidsOf('e0d4f6a2-31b8-5b7a-8c59-6a9d0c7b2f43')

/**
 * The id of an event that an external fact (`in_123 paid`) became. Every report of the fact gives
 * the same id. One fact may become several events, of different types or in different streams.
 */
export function eventIdOfFact(stream: string, type: string, fact: string): string {
  return idOfFact(JSON.stringify([stream, type, fact]))
}

/**
 * The id of the event at `index` (from 0) that a command became in a stream. Every repeat of the
 * command gives the same id.
 */
export function eventIdOfCommand(stream: string, commandId: string, index: number): string {
  return idOfCommand(JSON.stringify([stream, commandId, index]))
}
