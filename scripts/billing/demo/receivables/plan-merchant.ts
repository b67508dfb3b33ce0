import { addDays, type Day } from '#services/finance/calendar'
import { createRandom, type Random } from '../random.ts'
import { seededRandom } from '../seeded-random.ts'
import { chooseHabit } from './habit.ts'
import { inventClient } from './invented-clients.ts'
import { planActs } from './plan-acts.ts'
import type { PlannedClient, PlannedInvoice } from './planned-act.ts'

const sizes = [
  { share: 0.7, clients: [3, 6] },
  { share: 0.25, clients: [8, 14] },
  { share: 0.05, clients: [25, 40] },
] as const
/** Days between two invoices of a client: monthly, quarterly, twice a year. */
const rhythms = [30, 91, 182] as const
const terms = [14, 30, 30, 45] as const

/** Two years. */
const length = 730

/**
 * The clients and invoices of merchant number `index` in the two years up to `today`. It depends
 * only on the arguments. Nothing is planned after `today`, so late invoices are open at the end.
 */
export function planMerchant(seed: number, index: number, today: Day): readonly PlannedClient[] {
  const random = createRandom(seededRandom(seed * 7_000_003 + index * 104_729))
  let number = 1_000
  return Array.from({ length: clientCount(random) }, (_, client) => {
    const details = inventClient(client, random)
    const habit = chooseHabit(random)
    const usual = Math.round(random.between(80, 2_400)) * 100
    const invoices = issueDays(random, today).map((day): PlannedInvoice => {
      number += 1
      const dueDate = addDays(day, random.pick(terms))
      const amount = Math.round(usual * random.between(0.6, 1.4))
      const reference = random.chance(0.4) ? `Visit of ${day}` : null
      const acts = planActs({ issued: day, due: dueDate, amount }, habit, random)
      return {
        number: `INV-${number}`,
        day,
        details: { issueDate: day, dueDate, amount, reference, url: null },
        acts: acts.filter((act) => act.day <= today),
      }
    })
    const [first] = invoices
    const mayText = details.phone !== null && first !== undefined && random.chance(0.6)
    return { details, consentDay: mayText ? first.day : null, invoices }
  })
}

function clientCount(random: Random): number {
  let left = random.next()
  for (const { share, clients } of sizes) {
    if (left < share) return Math.floor(random.between(clients[0], clients[1] + 1))
    left -= share
  }
  return sizes[0].clients[0]
}

function issueDays(random: Random, today: Day): readonly Day[] {
  const rhythm = random.pick(rhythms)
  const days: Day[] = []
  for (
    let day = addDays(today, -length + Math.floor(random.between(0, rhythm)));
    day <= today;
    day = addDays(day, rhythm + Math.floor(random.between(-3, 4)))
  )
    days.push(day)
  return days
}
