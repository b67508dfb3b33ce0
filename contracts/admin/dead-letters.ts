import { z } from 'zod'
import { discardReasons, retryReasons } from '../dead-letter-reasons.ts'
import { instant } from '../instant.ts'
import { nameContracts } from '../name-contracts.ts'
import { openEnum } from '../open-enum.ts'

/**
 * A message that was not sent and is not tried again. It has nothing of a person: the user's
 * history shows to whom it was.
 */
const deadLetter = z.object({
  reactor: z.string(),
  event_id: z.string(),
  /** What it was to be. */
  message: openEnum(['mail', 'text', 'mail-to-administrator', 'other']),
  /** The event that it is about, by the title of its type. */
  about: z.string(),
  /** The place of the event in the log. */
  stream: z.string(),
  revision: z.int(),
  /** Null: it is not to a user. */
  user_id: z.string().nullable(),
  attempts: z.int(),
  /** The last answer, without an address. */
  last_error: z.string().nullable(),
  dead_at: instant,
})

/** `GET /api/admin/dead-letters`: the oldest first. `has_more`: beyond the 200 that are listed. */
export const deadLettersResponse = z.object({ items: z.array(deadLetter), has_more: z.boolean() })

const codes = <Code extends string>(names: Readonly<Record<Code, string>>) =>
  Object.keys(names) as [Code, ...Code[]]

export const retryDeadLetterRequest = z.object({
  why: z.enum(codes(retryReasons), 'Choose why it is tried once more.'),
})
export const discardDeadLetterRequest = z.object({
  why: z.enum(codes(discardReasons), 'Choose why it is discarded.'),
})

/** `message`: what happened, for the person who decided. */
export const deadLetterDecided = z.object({ message: z.string() })

export type DeadLetterItem = z.infer<typeof deadLetter>

nameContracts({
  DeadLetter: deadLetter,
  DeadLetters: deadLettersResponse,
  DeadLetterDecided: deadLetterDecided,
})
