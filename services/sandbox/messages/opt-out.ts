import type { Pool } from 'pg'
import { z } from 'zod'
import { allRows } from '#services/foundation/rows'

/*
 * Twilio's handling of opt-outs for a number of the United States: it answers single words itself,
 * and refuses texts to a phone that answered STOP. The words are Twilio's.
 */

const stops = ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT']
const starts = ['START', 'UNSTOP', 'YES']

/** Twilio's own answer. Null: it passes the text to the product only. */
export function twilioAnswer(text: string): string | null {
  const word = text.trim().toUpperCase()
  if (stops.includes(word))
    return 'You have successfully been unsubscribed. You will not receive any more messages from this number. Reply START to resubscribe.'
  if (starts.includes(word))
    return 'You have successfully been re-subscribed to messages from this number. Reply HELP for help. Reply STOP to unsubscribe.'
  return null
}

const textRow = z.object({ word: z.string() })

/** Whether the last of these words that the phone sent was one that stops. */
export async function isOptedOut(pool: Pool, phone: string): Promise<boolean> {
  const [last] = await allRows(
    pool,
    textRow,
    `SELECT upper(btrim(body_text, E' \\t\\r\\n')) AS word FROM sandbox.message
     WHERE is_inbound AND sender = $1 AND upper(btrim(body_text, E' \\t\\r\\n')) = ANY ($2)
     ORDER BY seq DESC LIMIT 1`,
    [phone, [...stops, ...starts]],
  )
  return last !== undefined && stops.includes(last.word)
}
