import { v5 as uuidV5 } from 'uuid'

// Fixed for ever: with other namespaces, what happened would get other ids and be recorded twice.
const facts = 'b3a5c1de-7f02-5c64-9d0e-2f6f4a1c8e17'
const commands = 'e0d4f6a2-31b8-5b7a-8c59-6a9d0c7b2f43'

/**
 * The id of an event that an outside fact (`in_123 paid`) became: the same whoever tells us, and
 * how often. One fact may become several events, of different types or in different streams.
 */
export function eventIdOfFact(stream: string, type: string, fact: string): string {
  return uuidV5(JSON.stringify([stream, type, fact]), facts)
}

/**
 * The id of the index-th event that a command became in a stream. Events of a refusal have ids of
 * their own: a command that was refused may be sent again, and then be accepted.
 */
export function eventIdOfCommand(
  stream: string,
  commandId: string,
  outcome: 'accepted' | 'refused',
  index: number,
): string {
  return uuidV5(JSON.stringify([stream, commandId, outcome, index]), commands)
}
