import type { Brand } from '#contracts/brand/brand'
import type { Money } from '#contracts/money'
import { unreachable } from '#services/foundation/decider'
import { gsmLength, toGsm } from '#services/sms/gsm-text'
import type { TextNotification } from './notification.ts'
import { moneyText } from './templates/words.ts'

/** The length of one segment. A longer text is sent, and paid, as several. */
const segment = 160

/**
 * A text in the GSM 7-bit alphabet, of one segment if the link has at most 80 characters. If the
 * text is too long, shorter words replace the words, and then the brand's name is cut. The amount,
 * the link and STOP are never cut. With `Links.updateCard` at a PUBLIC_URL of 40 characters, a name
 * of 40 characters is complete. STOP is on its own line, so that it is not read as a part of the
 * link.
 */
export function renderText(
  { day, due, url }: TextNotification,
  { brand }: { readonly brand: Pick<Brand, 'name'> },
): string {
  const amount = amountOf(due)
  const [full, short] = wordsOf(day, amount)
  const end = `${url}\nSTOP to opt out`
  const name = toGsm(brand.name)
  const text = (words: string, sender: string) => `${sender}: ${words} ${end}`
  const inFull = text(full, name)
  if (gsmLength(inFull) <= segment) return inFull
  const room = segment - gsmLength(text(short, ''))
  return text(short, cut(name, room))
}

/** With the code of the currency if the alphabet lacks its sign: `INR 50.00`. */
function amountOf(due: Money): string {
  const amount = moneyText(due)
  const shown = toGsm(amount)
  return shown.includes('?') ? amount.replace(/^\D+/, `${due.currency.toUpperCase()} `) : shown
}

/** In full, and the words for a long name or link. */
function wordsOf(day: TextNotification['day'], amount: string): readonly [string, string] {
  switch (day) {
    case 0:
      return [`your payment of ${amount} failed. Update your card:`, `${amount} failed. Card:`]
    case 3:
      return [`${amount} is still unpaid. Update your card:`, `${amount} is unpaid. Card:`]
    case 5:
      return [
        `${amount} is unpaid, your plan is at risk. Update your card:`,
        `${amount} is unpaid. Card:`,
      ]
    case 7:
      return [
        `last reminder, ${amount} is unpaid. Update your card:`,
        `last reminder, ${amount}. Card:`,
      ]
    default:
      return unreachable(day)
  }
}

/** At least 3 characters of the name, so that the text always names its sender. */
function cut(name: string, room: number): string {
  if (gsmLength(name) <= room) return name
  let kept = name
  while (gsmLength(kept) + 3 > Math.max(room, 6)) kept = kept.slice(0, -1)
  return `${kept.trimEnd()}...`
}
